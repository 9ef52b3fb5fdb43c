import { join } from 'node:path'
import { type AlternativeName, loadAlternative, loadTables } from './alternatives.js'
import { checkAnswers, storedAnswers } from './answers.js'
import type { Contender, Wish } from './contender.js'
import { type DataAccount, normalised, pristine } from './dataset.js'
import { floorContender } from './floor-contender.js'
import type { Bench, Runner } from './measure.js'
import { twoProcesses } from './options.js'
import type { Skipped } from './results.js'
import { waybillContender } from './waybill.js'
import { drawWishes, type Heat, type Workload } from './workloads.js'

/** Who takes part: its servers run, and have answered rightly. */
export type Entrant = {
  name: string
  /** Those that it can be asked about. */
  accounts: DataAccount[]
  runner: Record<Heat, Runner>
  kind: 'floor' | 'Waybill' | 'alternative' | 'more processes'
}

export type Field = { entrants: Entrant[]; stop(): Promise<void> }

export type Entry = {
  bench: Bench
  accounts: DataAccount[]
  workloads: Workload[]
  /** Beside the floor and Waybill. */
  wanted: { alternatives: AlternativeName[]; twoProcesses: boolean }
  skipped: Skipped[]
}

/** Starts everybody who is wanted, beside each other. Who cannot take part is told in `skipped`. */
export async function openField({ bench, accounts, workloads, wanted, skipped }: Entry): Promise<Field> {
  const { server } = bench
  const started: Runner[] = []
  const databases = new Set<string>()

  const copy = async (name: string, template: string) => {
    const database = `run_${name.replaceAll('-', '_')}`
    await server.drop(database)
    await server.create(database, template)
    databases.add(database)
    return database
  }
  const start = async (contender: Contender, database: string): Promise<Runner> => {
    const running = await contender.start(server.place(database))
    const runner = { contender, running, database }
    started.push(runner)
    return runner
  }
  const stop = async () => {
    await Promise.all(started.map(({ running }) => running.stop()))
    for (const database of databases) await server.drop(database)
  }

  // Copied while nobody is connected to what is copied.
  const waybillDatabase = await copy('waybill', pristine)
  const coldDatabase = await copy('waybill-cold', pristine)
  const twoDatabase = wanted.twoProcesses ? await copy('waybill-two', pristine) : ''
  await copy('bare', pristine)
  const db = server.open(pristine, 1)
  const stored = storedAnswers(db)
  const inTurn = createTurns()
  try {
    const entering = await Promise.allSettled([...wanted.alternatives.map(enterAlternative), enterOurs()])
    const failed = entering.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    return { entrants: entering.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])), stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    await db.end()
  }

  async function enterOurs(): Promise<Entrant[]> {
    const [warm, cold] = await Promise.all([
      start(waybillContender({ caches: true }), waybillDatabase),
      start(waybillContender({ caches: false }), coldDatabase),
    ])
    const floor = floorContender(warm.running.url, allReads(workloads, accounts), join(bench.folder, 'floor.json'))
    await floor.prepare(server.place(waybillDatabase), accounts)
    const bottom = await start(floor, waybillDatabase)
    return [
      await enter({ name: 'floor', kind: 'floor', accounts, runner: { warm: bottom, cold: bottom } }),
      await enter({ name: 'Waybill', kind: 'Waybill', accounts, runner: { warm, cold } }),
      ...(wanted.twoProcesses ? await orTell(twoProcesses, enterTwoProcesses) : []),
    ]
  }

  async function enterTwoProcesses(): Promise<Entrant> {
    const two = await start(waybillContender({ caches: true, workers: 2 }), twoDatabase)
    return enter({ name: two.contender.name, kind: 'more processes', accounts, runner: { warm: two, cold: two } })
  }

  async function enterAlternative(name: AlternativeName): Promise<Entrant[]> {
    return orTell(name, async () => {
      const contender = await loadAlternative(name)
      const database = await inTurn(async () => {
        await loadTables(server.place(normalised))
        return copy(name, normalised)
      })
      await contender.prepare(server.place(database), accounts)
      const runner = await start(contender, database)
      const known = accounts.filter(
        (account) => contender.request({ of: 'shipments', account, skip: 0, take: 1 }) !== undefined,
      )
      return enter({
        name: contender.name,
        kind: 'alternative',
        accounts: known,
        runner: { warm: runner, cold: runner },
      })
    })
  }

  /** Whose answers are wrong does not take part. */
  async function enter(entrant: Entrant): Promise<Entrant> {
    for (const { contender, running } of new Set(Object.values(entrant.runner))) {
      const check = { stored, accounts: entrant.accounts, writes: entrant.kind !== 'floor' }
      const right = await checkAnswers(contender, running.url, check)
      console.log(`${entrant.name}: ${right} answers are right`)
    }
    return entrant
  }

  async function orTell(name: string, work: () => Promise<Entrant>): Promise<Entrant[]> {
    try {
      return [await work()]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      console.error(`${name} cannot take part: ${why}`)
      skipped.push({ contender: name, why, isFailure: true })
      return []
    }
  }
}

/** Each work begins when the one before has ended, however it did. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}

/** What the floor has to know, and more: all that anybody reads in any workload. */
function allReads(workloads: Workload[], accounts: DataAccount[]): Wish[] {
  return workloads.flatMap((workload) => workload.heats.flatMap((heat) => drawWishes(workload, accounts, heat)))
}
