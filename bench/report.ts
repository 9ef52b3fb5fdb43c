import { groupedBy } from '../src/domain/grouping.js'
import { fileNameOf } from './plots.js'
import { growthReport } from './report-growth.js'
import { enoughAnswers, type Results } from './results.js'
import { figure, grouped, megabytes, type Row, rowsOf } from './summary.js'
import { beyondTheFloor, judge, leastForTwo } from './targets.js'

/** `docs/performance.md`, made of the results alone. */
export function reportOf(results: Results): string {
  const parts = [introduction(results), machineOf(results), targetsOf(results), leftOut(results), figuresOf(results)]
  if (results.growth) parts.push(growthReport(results.growth))
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function introduction({ rounds, seconds, connections, generator, data, isQuick, countsWhat }: Results): string {
  return `# Performance

Written by \`npm run bench\`; do not edit. The figures are in \`docs/performance/results.json\`, from which
\`npm run bench -- --report\` makes this page anew.${isQuick ? '\n\n**A quick run: a tenth of the data, and short measurements. Its ratios are rough.**' : ''}

## How it is measured

One run on one machine. ${generator} keeps ${connections} connections busy (other numbers are named), each measurement takes ${seconds} s
(longer where an answer takes long), and there are ${rounds} rounds${isQuick ? '' : ', after one that does not count'}. In a round everybody has a turn in each workload, one
right after the other, so that whatever else the machine does hits all of them. Tables show medians over the rounds,
and the least and the most. Everybody is one process of its own unless it says otherwise, and uses the same PostgreSQL,
which the run starts, each in a database of its own: ${grouped(data.accounts)} accounts, ${grouped(data.shipments)} shipments of ${grouped(data.bytesOfShipment)} bytes on average,
one account with ${grouped(data.large)} shipments and ${grouped(data.largeOrders)} purchase orders. Every commit is written to the disk.

- **floor**: Fastify as it comes, which sends the bytes that Waybill would, from memory: no key, no database.
- **Waybill**: \`waybill serve\` as it is built, with its log, without the rate limit.
- **Kysely**, **Prisma**: Fastify with either over normalised tables with the same indexes, tuned (\`bench/contenders\`).
- **Directus**: over the same tables. **json-server**: the large account alone, in memory, without keys.
- **bare INSERTs**: the two rows of a created order, ready-made, in one statement over the same driver and pool; no HTTP.

Before anybody is timed, its answers are compared with what is stored, also after writes. An answer with an error, or a
connection that breaks, fails the measurement. Requests that are under way when a measurement ends are not counted. Where fewer than
${enoughAnswers} answers came on each connection, a * is set: the true rate may be higher there, and the true latency is longer.

*Warm*: accounts, and shipments within them, are drawn by Zipf's law, as clients poll, and all that is drawn was
asked for before. *Cold*: any account and any shipment is as
likely, and Waybill's memory of answers is off. \`304\` is a list of 10 asked for with the validator of its answer. The mix: 50
single shipments, 35 lists of 10, 10 single orders, 5 writes (half creates, half updates) of 100. Created orders have ten lines.

CPU is in seconds for 1,000 requests, of the server and of PostgreSQL; queries are ${countsWhat} that PostgreSQL was sent for
1,000 requests; memory is the most that the server's processes held, in MB.

To repeat it: \`npm ci && npm run bench\` (three quarters of an hour; Linux; \`wrk\` is used where it is installed), \`npm run bench -- --growth\`,
\`npm run bench -- --quick\` for the ratios in under three minutes, \`npm run bench -- --help\` for more.`
}

function machineOf({ machine, generator, commit, date }: Results): string {
  return `## Where and when

| | |
|---|---|
| Machine | ${machine.processor}, ${machine.cores} cores, ${grouped(machine.memory / 1024 ** 3)} GB of memory, ${machine.system} |
| Node | ${machine.node} |
| PostgreSQL | ${machine.postgres} |
| Load generator | ${generator}, on the same machine |
| Commit | ${commit} |
| Date | ${date.slice(0, 10)} |`
}

function targetsOf(results: Results): string {
  const lines = judge(results).map(({ name, told, least, ratio, rounds, isMet }) => {
    const shown = (value: number) => (least > 1 ? `${figure(value)} times` : `${grouped(value * 100)}%`)
    const spread = `${shown(Math.min(...rounds))} to ${shown(Math.max(...rounds))}`
    return `| ${name} | ${told} | ${shown(ratio)} | ${spread} | ${isMet ? 'met' : '**not met**'} |`
  })
  return `## Targets

| Workload | Target | Measured | In single rounds | |
|---|---|---|---|---|
${[...lines, ...memoryTarget(results)].join('\n')}${results.isQuick || judge(results).every(({ isMet }) => isMet) ? '' : whereItGoes}${limitsOf(results).join('')}`
}

const whereItGoes = `

Where the time goes in those that are not met: [profiles](performance/profiles.md).`

/** What no server could do on this machine. */
function limitsOf(results: Results): string[] {
  const beyond = beyondTheFloor(results).map(
    ({ told, ratio }) => `The floor itself is no more than ${figure(ratio)} times as fast, where ${told} are wanted.`,
  )
  return [...beyond, ...roomForTwo(results)].map((sentence) => `\n\n${sentence}`)
}

function roomForTwo(results: Results): string[] {
  const lists = rowsOf(results).filter(({ workload, heat }) => workload === 'list of 10' && heat === 'warm')
  const one = lists.find(({ contender }) => contender === 'Waybill')
  const two = lists.find(({ contender }) => contender === 'Waybill, 2 processes')
  if (!one || !two) return []
  const coresAt = (rate: number) => (rate * (two.cpu + two.databaseCpu)) / 1000
  const { cores } = results.machine
  return [
    `Two processes and PostgreSQL took ${figure(coresAt(two.rate.median))} of the ${cores} cores, beside the load generator; at ${leastForTwo} times the
rate of one they would take ${figure(coresAt(leastForTwo * one.rate.median))}.`,
  ]
}

function memoryTarget(results: Results): string[] {
  const ours = rowsOf(results).filter(({ contender }) => contender === 'Waybill')
  if (ours.length === 0) return []
  const { memory, workload, heat } = ours.reduce((one, other) => (other.memory > one.memory ? other : one))
  const isMet = memory < 400 * 1024 * 1024
  const most = `${megabytes(memory)} MB (${workload}, ${heat})`
  return [`| memory of Waybill, every workload | less than 400 MB | ${most} | | ${isMet ? 'met' : '**not met**'} |`]
}

function leftOut({ skipped }: Results): string {
  if (skipped.length === 0) return ''
  const lines = skipped.map(
    ({ contender, workload, why }) => `- ${contender}${workload ? `, ${workload}` : ''}: ${why.split('\n')[0]}`,
  )
  return `## Not measured\n\n${[...new Set(lines)].join('\n')}`
}

function figuresOf(results: Results): string {
  const workloads = groupedBy(rowsOf(results), ({ workload }) => workload)
  const parts = [...workloads].map(([workload, rows]) => {
    const tables = (['warm', 'cold'] as const)
      .map((heat) =>
        tableOf(
          heat,
          rows.filter((row) => row.heat === heat),
        ),
      )
      .filter((table) => table !== '')
    return `### ${workload}\n\n![${workload}: requests a second](performance/${fileNameOf(workload)}.svg)\n\n${tables.join('\n\n')}`
  })
  return `## All figures\n\n${parts.join('\n\n')}`
}

function tableOf(heat: string, rows: Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(({ contender, rate, p50, p99, cpu, databaseCpu, queries, memory, isRough }) => {
    const spread = `${figure(rate.least)} to ${figure(rate.most)}`
    const cells = [
      `${contender}${isRough ? ' *' : ''}`,
      figure(rate.median),
      spread,
      figure(p50),
      figure(p99),
      figure(cpu),
      figure(databaseCpu),
    ]
    return `| ${[...cells, grouped(queries), megabytes(memory)].join(' | ')} |`
  })
  return `| ${heat} | requests/s | least to most | p50 ms | p99 ms | CPU | CPU of PostgreSQL | queries | memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${lines.join('\n')}`
}
