import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeCommit, describeMachine } from '../bench/machine.js'
import { closeDatabases } from './database.js'
import type { Part, PartResult, SoakOptions } from './part.js'
import { parts, partsNamed } from './parts.js'
import { killPrograms } from './program.js'
import { type Run, readResults, reportOf, withResults, writeResults } from './report.js'

/** `npm run soak`: injects faults into the service under load, and reports the results. */

const usage = `npm run soak -- [flags]
  --seed N         seed of all random choices; default 1
  --only NAME,...  run only these parts, and replace only their results in the report: ${[...new Set(parts.map(({ name }) => name.split(':')[0]))].join(', ')}
  --requests N     number of requests of the fuzzer; default 100000
  --minutes N      how long each of the parts webhooks and mirror kills; default 5
  --kills N, --cuts N, --switchovers N  how often the part failover kills the primary (20), cuts it off the network (3)
                   and switches over by hand (10)
  --times N        how often the part hostile sends each request; default 20
  --rows N         rows of the tables that the part upgrade migrates; default 1000000
  --from COMMIT    the version that the part upgrade begins with; default: that of scripts/previous-version.json
  --short          few repetitions, as in the tests; writes no report
  --report         only regenerate docs/reliability.md and docs/hostile-requests.md from soak/results.json`

process.exitCode = await run(process.argv.slice(2))
// Exits without waiting for handles that a failed part left open.
process.exit()

async function run(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      requests: { type: 'string' },
      minutes: { type: 'string' },
      times: { type: 'string' },
      rows: { type: 'string' },
      from: { type: 'string' },
      kills: { type: 'string' },
      cuts: { type: 'string' },
      switchovers: { type: 'string' },
      short: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  })
  if (values.report) {
    await writeResults(await readResults())
    return 0
  }
  const seed = count('--seed', values.seed)
  const requests = values.requests === undefined ? undefined : count('--requests', values.requests)
  const minutes = values.minutes === undefined ? undefined : count('--minutes', values.minutes)
  const times = values.times === undefined ? undefined : count('--times', values.times)
  const rows = values.rows === undefined ? undefined : count('--rows', values.rows)
  const failovers = Object.fromEntries(
    (['kills', 'cuts', 'switchovers'] as const).flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [[name, value === '0' ? 0 : count(`--${name}`, value)]]
    }),
  )
  const given = { seed, requests, minutes, times, rows, from: values.from, failovers, isShort: values.short }
  const chosen = values.only === undefined ? parts : partsNamed(values.only.split(','))
  handleSignals()
  const startedAt = new Date()
  const done: PartResult[] = []
  for (const part of chosen) done.push(await runPart(part, given))
  const ofRun: Run = {
    date: startedAt.toISOString(),
    commit: describeCommit(),
    command: ['npm run soak --', ...withoutSeed(args), '--seed', seed].join(' '),
    seed,
    machine: describeMachine(''),
  }
  const results = done.map((part) => ({ ...part, run: ofRun }))
  const order = parts.map(({ name }) => name)
  if (values.short) console.log(`\n${reportOf({ parts: results })}`)
  else await writeResults(withResults(values.only === undefined ? { parts: [] } : await readResults(), results, order))
  return done.every(({ violations }) => violations.length === 0) ? 0 : 1
}

async function runPart(part: Part, options: Omit<SoakOptions, 'folder' | 'log'>): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-soak-'))
  // PostgreSQL does not run as root: its user needs access.
  await chmod(folder, 0o755)
  const startedAt = performance.now()
  console.log(`${part.name} ...`)
  try {
    const result = await part.run({ ...options, folder, log: (line) => console.log(line) })
    const { requests, acknowledgedWrites, lost, doubled, seconds, violations } = result
    console.log(
      `${part.name}: ${requests} requests, ${acknowledgedWrites} writes, ${lost} lost, ${doubled} doubled, ${seconds.toFixed(0)} s`,
    )
    for (const violation of violations) console.log(`  ${violation}`)
    return result
  } catch (error) {
    console.error(error)
    return failed(part, error, (performance.now() - startedAt) / 1000)
  } finally {
    // Those that a failed part left running would start the embedded database again.
    killPrograms()
    await closeDatabases()
    await rm(folder, { recursive: true, force: true })
  }
}

function failed({ name }: Part, error: unknown, seconds: number): PartResult {
  const counts = { requests: 0, faults: 0, acknowledgedWrites: 0, lost: 0, doubled: 0, unexpectedFailures: 0, leaks: 0 }
  const detail = 'It was aborted by an error.'
  return { name, detail, ...counts, seconds, figures: [], violations: [String(error)] }
}

/** Cleans up on a signal, which may arrive twice: from the terminal and from the parent process. */
function handleSignals(): void {
  let ending: Promise<never> | undefined
  const interrupt = () => {
    // First the services: they would restart the embedded database.
    killPrograms()
    ending ??= closeDatabases().finally(() => process.exit(130)) as Promise<never>
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
}

function withoutSeed(args: string[]): string[] {
  return args.filter((arg, index) => arg !== '--seed' && args[index - 1] !== '--seed')
}

function count(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${flag} ${text}: write a whole number above 0`)
}
