import { join } from 'node:path'
import type { BenchServer } from './bench-server.js'
import { type ComparisonName, comparisonTitles, loadComparison, loadTables } from './comparison-servers.js'
import { type DataAccount, normalised, sources } from './dataset.js'
import { floorServer } from './floor-server.js'
import type { Bench, Runner } from './measure.js'
import type { Query } from './queries.js'
import type { Skipped } from './results.js'
import { storedResponses, verifyReads, verifyWrites } from './verify-responses.js'
import { waybillServer } from './waybill-server.js'
import { type CacheState, drawQueries, type Workload } from './workloads.js'

/** What is measured: running servers whose responses were verified. */
export type Participant = {
  name: string
  kind: 'floor' | 'Waybill' | 'comparison' | 'more processes'
  runners: Record<CacheState, Runner> & { empty?: Runner | undefined }
}

export type Participants = { list: Participant[]; stop(): Promise<void> }

export const twoProcesses = 'Waybill, 2 processes'

/** Besides the floor and Waybill. */
export type Wanted = { comparisons: ComparisonName[]; twoProcesses: boolean }

export function namesOf({ comparisons, twoProcesses: two }: Wanted): string[] {
  return ['floor', 'Waybill', ...comparisons.map((name) => comparisonTitles[name]), ...(two ? [twoProcesses] : [])]
}

type Setup = { bench: Bench; accounts: DataAccount[]; workloads: Workload[]; wanted: Wanted; skipped: Skipped[] }
type DatabaseKind = keyof typeof sources

/** Starts and verifies all participants. One that fails is added to `skipped`; the floor and Waybill must not fail. */
export async function startParticipants({ bench, accounts, workloads, wanted, skipped }: Setup): Promise<Participants> {
  const { server } = bench
  const started: Runner[] = []
  const databases = new Set<string>()
  const needsEmpty = workloads.some(({ database }) => database === 'empty')

  const copy = async (name: string, template: string) => {
    const database = `run_${name}`
    await server.drop(database)
    await server.create(database, template)
    databases.add(database)
    return database
  }
  const start = async (benchServer: BenchServer, database: string): Promise<Runner> => {
    const runner = { server: benchServer, running: await benchServer.start(server.place(database)), database }
    started.push(runner)
    return runner
  }
  const stop = async () => {
    await Promise.all(started.map(({ running }) => running.stop()))
    for (const database of databases) await server.drop(database)
  }

  try {
    // One after another: PostgreSQL copies a database only while it has no connections.
    const ours = await startOurs()
    const others: Participant[] = []
    for (const name of wanted.comparisons) others.push(...(await orSkip(comparisonTitles[name], startComparison(name))))
    return { list: [...ours, ...others], stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function startOurs(): Promise<Participant[]> {
    const databaseOf = { warm: await copy('waybill', sources.full), cold: await copy('waybill_cold', sources.full) }
    const emptyDatabase = needsEmpty ? await copy('waybill_empty', sources.empty) : undefined
    const twoDatabase = wanted.twoProcesses ? await copy('waybill_two', sources.full) : undefined
    const warm = await start(waybillServer({ cache: true }), databaseOf.warm)
    const cold = await start(waybillServer({ cache: false }), databaseOf.cold)
    const empty = emptyDatabase && (await start(waybillServer({ cache: true }), emptyDatabase))
    const floor = floorServer(warm.running.url, allQueries(workloads, accounts), join(bench.folder, 'floor.json'))
    await floor.prepare(server.place(databaseOf.warm), accounts)
    const bottom = await start(floor, databaseOf.warm)
    const two = async (database: string): Promise<Participant> => {
      const runner = await start(waybillServer({ cache: true, workers: 2 }), database)
      return { name: twoProcesses, kind: 'more processes', runners: { warm: runner, cold: runner } }
    }
    return [
      await verified({ name: 'floor', kind: 'floor', runners: { warm: bottom, cold: bottom } }),
      await verified({ name: 'Waybill', kind: 'Waybill', runners: { warm, cold, empty: empty || undefined } }),
      ...(twoDatabase ? await orSkip(twoProcesses, two(twoDatabase).then(verified)) : []),
    ]
  }

  async function startComparison(name: ComparisonName): Promise<Participant> {
    const comparison = await loadComparison(name)
    const runnerOn = async (kind: DatabaseKind): Promise<Runner> => {
      await loadTables(sources[kind], server.place(normalised[kind]))
      const database = await copy(kind === 'full' ? name : `${name}_empty`, normalised[kind])
      await comparison.prepare(server.place(database), accounts)
      return start(comparison, database)
    }
    const full = await runnerOn('full')
    const empty = needsEmpty ? await runnerOn('empty') : undefined
    return verified({ name: comparison.name, kind: 'comparison', runners: { warm: full, cold: full, empty } })
  }

  /** Throws if a response is wrong. */
  async function verified(participant: Participant): Promise<Participant> {
    const { runners, kind, name } = participant
    const db = server.open(sources.full, 1)
    try {
      let count = 0
      for (const runner of new Set([runners.warm, runners.cold])) {
        count += await verifyReads(runner, storedResponses(db), workloads, accounts)
      }
      // The floor stores nothing: what is written cannot be read back.
      const written = kind === 'floor' ? [] : new Set([runners.warm, runners.cold, runners.empty])
      for (const runner of written) if (runner) count += await verifyWrites(runner, accounts)
      console.log(`${name}: ${count} responses are correct`)
      return participant
    } finally {
      await db.end()
    }
  }

  async function orSkip(name: string, work: Promise<Participant>): Promise<Participant[]> {
    try {
      return [await work]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      console.error(`${name} cannot be measured: ${why}`)
      skipped.push({ server: name, why, isFailure: true })
      return []
    }
  }
}

/** Everything that is read in any workload: what the floor has to serve. */
function allQueries(workloads: Workload[], accounts: DataAccount[]): Query[] {
  return workloads.flatMap((workload) => workload.caches.flatMap((cache) => drawQueries(workload, accounts, cache)))
}
