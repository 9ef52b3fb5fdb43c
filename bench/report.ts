import { groupedBy } from '../src/domain/records/grouping.js'
import { enoughResponses, type Results } from './results.js'
import { figure, grouped, megabytes, type Row, rowsOf } from './summary.js'
import { evaluateTargets, leastForTwo, mostMemory } from './targets.js'

/** The first part of `docs/performance.md`. */
export function ratesReport(results: Results): string {
  const parts = [
    introduction(results),
    machineOf(results),
    targetsOf(results),
    notMeasured(results),
    figuresOf(results),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function introduction({ rounds, seconds, connections, generator, data, isQuick }: Results): string {
  return `# Performance

Written by \`npm run bench\`; do not edit.${isQuick ? '\n\n**A quick run: a tenth of the data, and short measurements. Its ratios are rough.**' : ''}

## How it is measured

One run on one machine. ${generator} keeps ${connections} connections busy (8 when orders are created), each measurement takes
${seconds} s (longer for slow responses), and there are ${rounds} rounds${isQuick ? '' : ', after one that is not counted'}. In a round every server is measured in every
workload, one right after the other, so that other load on the machine affects all of them. Tables show medians over the
rounds. Every server is a single process unless stated otherwise, and has a database of its own in the same PostgreSQL:
${grouped(data.accounts)} accounts, ${grouped(data.shipments)} shipments of ${grouped(data.bytesOfShipment)} bytes on average; the largest account has ${grouped(data.large)} shipments and ${grouped(data.largeOrders)}
purchase orders. Every commit is flushed to disk.

- **floor**: Fastify without options, which serves the same bytes as Waybill from memory: no key, no database.
- **Waybill**: \`waybill serve\` as built, with its log, without the rate limit.
- **Kysely**, **Prisma**: Fastify with either, over normalised tables with the same indexes, tuned (\`bench/comparison\`). Kysely
  stores idempotency keys, too; Prisma does not.

Before the measurements, the responses of each server are compared with what is stored, also after writes. An error
response or a failed connection fails the measurement. Requests in flight when a measurement ends are not counted. \\* marks
measurements with fewer than ${enoughResponses} responses on each connection: the true rate may be higher, and the true latency is longer.
† marks those in which the load generator itself used a whole core: there it limits the rate, and not the server.
Ratios are comparable only between runs with the same load generator: autocannon takes about 0.07 s of CPU for 1,000 lists of
10, and 0.3 s for 1,000 lists of 100, which is more than the floor takes and raises Waybill's share of it.

*Warm*: accounts, and shipments within them, are requested by a Zipf distribution, and every response was requested before.
*Cold*: uniformly distributed, and Waybill's response cache is off; keys stay known. \`304\` is a list of 10, requested with the ETag of its
response. The mix: of 100 requests, 50 single shipments, 35 lists of 10, 10 single orders, 5 writes (half creates, half
updates). Orders have ten lines; *with a key*: each request has another \`Idempotency-Key\`. *Empty database*: the same
accounts without shipments and orders.

CPU is in seconds for 1,000 requests, of the server and of PostgreSQL; queries are statements for 1,000 requests; memory is
the peak of the server's processes, in MB.

To repeat it: \`npm ci && npm run bench\` (half an hour; Linux), \`npm run bench -- --growth\`, \`npm run bench -- --quick\` for
the ratios within three minutes. \`wrk\` is used where it is installed, otherwise autocannon. \`npm run bench -- --profile\` writes
CPU profiles and query plans to \`results/profiles\`.`
}

function machineOf({ machine, generator, commit, date }: Results): string {
  return `## Machine

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
  const lines = evaluateTargets(results).map(({ name, description, least, ratio, rounds, isMet }) => {
    const shown = (value: number) => (least > 1 ? `${figure(value)} times` : `${grouped(value * 100)}%`)
    if (ratio === undefined) return `| ${name} | ${description} | | | **not measured** |`
    const range = `${shown(Math.min(...rounds))} to ${shown(Math.max(...rounds))}`
    return `| ${name} | ${description} | ${shown(ratio)} | ${range} | ${isMet ? 'met' : '**not met**'} |`
  })
  return `## Targets

| Workload | Target | Measured | In single rounds | |
|---|---|---|---|---|
${[...lines, ...memoryTarget(results)].join('\n')}${roomForTwo(results)}`
}

/** Whether the machine has the cores that two processes would need. */
function roomForTwo(results: Results): string {
  const lists = rowsOf(results).filter(({ workload, cache }) => workload === 'list of 10' && cache === 'warm')
  const one = lists.find(({ server }) => server === 'Waybill')
  const two = lists.find(({ server }) => server === 'Waybill, 2 processes')
  if (!one || !two) return ''
  const coresAt = (rate: number) => (rate * (two.cpu + two.databaseCpu)) / 1000
  return `

Two processes and PostgreSQL used ${figure(coresAt(two.rate.median))} of the ${results.machine.cores} cores, besides the load generator; at ${leastForTwo} times the rate of one
process they would use ${figure(coresAt(leastForTwo * one.rate.median))}.`
}

function memoryTarget(results: Results): string[] {
  const ours = rowsOf(results).filter(({ server }) => server === 'Waybill')
  if (ours.length === 0) return []
  const { memory, workload, cache } = ours.reduce((one, other) => (other.memory > one.memory ? other : one))
  const most = `${megabytes(memory)} MB (${workload}, ${cache})`
  const isMet = memory < mostMemory
  return [
    `| memory of Waybill, every workload | less than ${megabytes(mostMemory)} MB | ${most} | | ${isMet ? 'met' : '**not met**'} |`,
  ]
}

function notMeasured({ skipped }: Results): string {
  if (skipped.length === 0) return ''
  const lines = skipped.map(
    ({ server, workload, why }) => `- ${server}${workload ? `, ${workload}` : ''}: ${why.split('\n')[0]}`,
  )
  return `## Not measured\n\n${[...new Set(lines)].join('\n')}`
}

function figuresOf(results: Results): string {
  const parts = [...groupedBy(rowsOf(results), ({ workload }) => workload)].map(([workload, rows]) => {
    const tables = (['warm', 'cold'] as const).map((cache) =>
      tableOf(
        cache,
        rows.filter((row) => row.cache === cache),
      ),
    )
    return `### ${workload}\n\n${tables.filter((table) => table !== '').join('\n\n')}`
  })
  const plot = '![Requests per second of the floor, Waybill and Kysely](performance/rates.svg)'
  return `## All figures\n\n${plot}\n\n${parts.join('\n\n')}`
}

function tableOf(cache: string, rows: Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(({ server, rate, p50, p99, cpu, databaseCpu, queries, memory, isRough, isLimited }) => {
    const cells = [
      `${server}${isRough ? ' \\*' : ''}${isLimited ? ' †' : ''}`,
      figure(rate.median),
      `${figure(rate.least)} to ${figure(rate.most)}`,
      figure(p50),
      figure(p99),
      figure(cpu),
      figure(databaseCpu),
      grouped(queries),
      megabytes(memory),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `| ${cache} | requests/s | range | p50 ms | p99 ms | CPU | CPU of PostgreSQL | queries | memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${lines.join('\n')}`
}
