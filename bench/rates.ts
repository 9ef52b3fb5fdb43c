import { installComparisons } from './comparison-servers.js'
import type { DatabaseServer } from './database-server.js'
import { type DataAccount, makeDataset, sources } from './dataset.js'
import { describeCommit, describeMachine } from './machine.js'
import type { Bench } from './measure.js'
import type { Options } from './options.js'
import { namesOf, startParticipants } from './participants.js'
import { ratesReport } from './report.js'
import { writeRates } from './report-files.js'
import type { Results, Skipped } from './results.js'
import { runRounds } from './rounds.js'
import { evaluateTargets } from './targets.js'

export type RatesOptions = Pick<
  Options,
  'isQuick' | 'size' | 'rounds' | 'seconds' | 'connections' | 'wanted' | 'workloads' | 'namedWorkloads' | 'write'
>

/** Measures all servers in all workloads and reports the results. Returns the exit code. */
export async function measureRates(options: RatesOptions, bench: Bench): Promise<number> {
  const { server, generator } = bench
  const { isQuick, size, rounds, seconds, connections, wanted, workloads } = options
  const started = Date.now()
  const log = (text: string) => console.log(`${((Date.now() - started) / 1000).toFixed(0)} s: ${text}`)
  const skipped: Skipped[] = []
  // A failed installation is reported when the servers are loaded.
  if (wanted.comparisons.length > 0) await installComparisons().catch(() => {})
  const accounts = await makeDataset(server, size)
  log('the data is complete')
  const participants = await startParticipants({ bench, accounts, workloads, wanted, skipped })
  log('the servers are ready')
  try {
    const onlyTargets = isQuick && !options.namedWorkloads
    const { list } = participants
    const measurements = await runRounds({
      bench,
      participants: list,
      workloads,
      rounds,
      isQuick,
      onlyTargets,
      accounts,
      skipped,
    })
    const results: Results = {
      date: new Date().toISOString(),
      commit: describeCommit(),
      isQuick,
      machine: describeMachine(server.version),
      generator: generator.name,
      connections,
      rounds,
      seconds,
      data: { ...size, bytesOfShipment: await bytesOfShipment(server, accounts) },
      servers: namesOf(wanted),
      workloads: workloads.map(({ name }) => name),
      measurements,
      skipped,
    }
    if (options.write) await writeRates(results)
    else console.log(`\n${ratesReport(results)}`)
    log('done')
    return exitCodeOf(results)
  } finally {
    await participants.stop()
  }
}

/** 1 where something could not be measured. Missing a target is a result, and not a failure of the benchmark. */
function exitCodeOf(results: Results): number {
  const missing = evaluateTargets(results).filter(({ ratio }) => ratio === undefined)
  for (const { name, description } of missing) console.error(`NOT MEASURED: ${name} (target: ${description})`)
  const failures = results.skipped.filter(({ isFailure }) => isFailure)
  for (const { server, workload, why } of failures)
    console.error(`FAILED: ${[server, workload].filter(Boolean).join(', ')}: ${why.split('\n')[0]}`)
  return missing.length + failures.length > 0 ? 1 : 0
}

async function bytesOfShipment(server: DatabaseServer, accounts: DataAccount[]): Promise<number> {
  const db = server.open(sources.full, 1)
  const [row] = await db<{ bytes: number }[]>`
    select avg(octet_length(body))::integer as bytes from shipments where account_id = ${accounts[0]?.account_id ?? 0}`
  await db.end()
  return row?.bytes ?? 0
}
