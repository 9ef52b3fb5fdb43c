import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { alternativeNames, installAlternatives, isInstalled } from './alternatives.js'
import { type DatabaseServer, openDatabaseServer } from './database-server.js'
import { type DataAccount, makeDataset, pristine } from './dataset.js'
import { type Entry, openField } from './entrants.js'
import { measureGrowth } from './growth.js'
import { autocannonGenerator } from './load/autocannon.js'
import { findWrk } from './load/wrk.js'
import { describeCommit, describeMachine } from './machine.js'
import { type Options, readOptions, twoProcesses, usage } from './options.js'
import { profileMissed } from './profile.js'
import { reportOf } from './report.js'
import { readResults, writeReport, writeResults } from './report-files.js'
import type { Results, Skipped } from './results.js'
import { runRounds } from './rounds.js'
import { quickWorkloads, workloads } from './workloads.js'

/** `npm run bench`: Waybill beside the floor and beside what somebody would use instead, in one run. */

let isInterrupted = false
process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  // What was under way has lost its database.
  if (isInterrupted) return 130
  throw error
})

async function run(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const options = readOptions(args)
  if (options.task === 'report') {
    await writeReport(await readResults())
    return 0
  }
  const folder = options.keep ? resolve(options.keep) : await mkdtemp(join(tmpdir(), 'waybill-bench-'))
  const server = await openDatabaseServer(join(folder, options.task === 'growth' ? 'growth' : 'data'))
  // Interrupted, it leaves no server behind.
  const interrupt = () => {
    isInterrupted = true
    void server.close().finally(() => process.exit(130))
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    if (options.task === 'growth') return await runGrowth(options, server, folder)
    if (options.task === 'profile') {
      await profileMissed(options, server, folder)
      return 0
    }
    return await runBench(options, server, folder)
  } finally {
    await server.close()
    if (!options.keep) await rm(folder, { recursive: true, force: true })
  }
}

async function runBench(options: Options, server: DatabaseServer, folder: string): Promise<number> {
  const started = Date.now()
  const skipped: Skipped[] = []
  const wanted = await whoIsWanted(options, skipped)
  const [accounts] = await Promise.all([makeDataset(server, options.size), installAlternatives(wanted.alternatives)])
  tell(started, 'the data is there')
  const generator = (await findWrk()) ?? autocannonGenerator
  const requests = join(folder, 'requests')
  await mkdir(requests, { recursive: true })
  const { seconds, warmUpSeconds, mostSeconds, connections, rounds, isQuick } = options
  const bench = { server, generator, folder: requests, seconds, warmUpSeconds, mostSeconds, connections }
  const all = isQuick ? quickWorkloads : workloads
  const field = await openField({ bench, accounts, workloads: all, wanted, skipped })
  tell(started, 'everybody is ready')
  try {
    const named = all.filter(({ name }) => options.workloads?.includes(name) ?? true)
    const { entrants } = field
    const onlyTargets = isQuick && !options.workloads
    const measurements = await runRounds({
      bench,
      entrants,
      workloads: named,
      rounds,
      isQuick,
      onlyTargets,
      accounts,
      skipped,
    })
    const { orders: _, ...size } = options.size
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
      countsWhat: server.countsWhat,
      measurements,
      skipped,
    }
    if (options.write) {
      // What was measured of growth stands beside it until it is measured again.
      const growth = await readResults().then(
        (before) => before.growth,
        () => undefined,
      )
      await writeResults({ ...results, growth })
      await writeReport({ ...results, growth })
    } else console.log(`\n${reportOf(results)}`)
    tell(started, 'done')
  } finally {
    await field.stop()
    await rm(requests, { recursive: true, force: true })
  }
  return skipped.some(({ isFailure }) => isFailure) ? 1 : 0
}

/** A quick run has those that a target names, and waits for none to be installed that takes minutes to. */
async function whoIsWanted({ only, isQuick }: Options, skipped: Skipped[]): Promise<Entry['wanted']> {
  if (only) return wantedOf(only)
  if (!isQuick) return wantedOf([...alternativeNames, twoProcesses])
  if (await isInstalled('directus')) return wantedOf(['kysely', 'prisma', 'directus', twoProcesses])
  const why = 'it is not installed yet, which takes minutes: `npm run bench -- --quick --only directus` does it'
  console.log(`Directus takes no part: ${why}`)
  skipped.push({ contender: 'Directus', why, isFailure: false })
  return wantedOf(['kysely', 'prisma', twoProcesses])
}

function wantedOf(names: string[]): Entry['wanted'] {
  const alternatives = alternativeNames.filter((name) => names.includes(name))
  return { alternatives, twoProcesses: names.includes(twoProcesses) }
}

async function runGrowth(options: Options, server: DatabaseServer, folder: string): Promise<number> {
  const growth = await measureGrowth(options, server, folder)
  if (options.isQuick && !options.write) {
    console.log(JSON.stringify(growth, null, 2))
    return 0
  }
  const results = { ...(await readResults()), growth }
  await writeResults(results)
  await writeReport(results)
  return 0
}

async function bytesOfShipment(server: DatabaseServer, accounts: DataAccount[]): Promise<number> {
  const db = server.open(pristine, 1)
  const [row] = await db<{ bytes: number }[]>`
    select avg(octet_length(body))::integer as bytes from shipments where account_id = ${accounts[0]?.account_id ?? 0}`
  await db.end()
  return row?.bytes ?? 0
}

function tell(started: number, what: string): void {
  console.log(`${((Date.now() - started) / 1000).toFixed(0)} s: ${what}`)
}
