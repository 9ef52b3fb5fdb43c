import { join } from 'node:path'
import { type AlternativeName, alternativeNames, loadAlternative } from './alternatives.js'
import { checkAnswers } from './answers.js'
import type { Contender, Wish } from './contender.js'
import { type DataAccount, pristine } from './dataset.js'
import { floorContender } from './floor-contender.js'
import type { Bench, Runner } from './measure.js'
import type { Skipped } from './results.js'
import { waybillContender } from './waybill.js'
import { drawWishes, type Heat, workloads } from './workloads.js'

/** Who takes part: its servers run, and have answered rightly. */
export type Entrant = {
  name: string
  /** Those that it can be asked about. */
  accounts: DataAccount[]
  runner: Record<Heat, Runner>
  kind: 'floor' | 'Waybill' | 'alternative' | 'more processes'
}

export type Field = { entrants: Entrant[]; stop(): Promise<void> }

/** Starts everybody who is wanted. Who cannot take part is told in `skipped`. */
export async function openField(
  bench: Bench,
  accounts: DataAccount[],
  only: string[] | undefined,
  skipped: Skipped[],
): Promise<Field> {
  const { server } = bench
  const started: Runner[] = []
  const entrants: Entrant[] = []
  const databases = new Set<string>()
  const wanted = (name: string) => only?.some((each) => each.toLowerCase() === name.toLowerCase()) ?? true

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

  const enter = async (entrant: Entrant) => {
    const db = server.open(pristine, 1)
    try {
      for (const runner of new Set(Object.values(entrant.runner))) {
        const check = { db, accounts: entrant.accounts, writes: entrant.kind !== 'floor' }
        const right = await checkAnswers(runner.contender, runner.running.url, check)
        console.log(`${entrant.name}: ${right} answers are right`)
      }
      entrants.push(entrant)
    } finally {
      await db.end()
    }
  }

  // Copied while nobody is connected to what is copied.
  const waybillDatabase = await copy('waybill', pristine)
  const coldDatabase = await copy('waybill-cold', pristine)
  const twoDatabase = wanted('two processes') ? await copy('waybill-two', pristine) : ''
  await copy('bare', pristine)
  try {
    for (const name of alternativeNames.filter(wanted)) await enterAlternative(name)
    const warm = await start(waybillContender({ caches: true }), waybillDatabase)
    const cold = await start(waybillContender({ caches: false }), coldDatabase)
    const floor = floorContender(warm.running.url, allReads(accounts), join(bench.folder, 'floor.json'))
    await floor.prepare(server.place(waybillDatabase), accounts)
    const bottom = await start(floor, waybillDatabase)
    await enter({ name: 'floor', kind: 'floor', accounts, runner: { warm: bottom, cold: bottom } })
    await enter({ name: 'Waybill', kind: 'Waybill', accounts, runner: { warm, cold } })
    await orTell('two processes', async () => {
      const two = await start(waybillContender({ caches: true, workers: 2 }), twoDatabase)
      await enter({ name: two.contender.name, kind: 'more processes', accounts, runner: { warm: two, cold: two } })
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { entrants, stop }

  async function enterAlternative(name: AlternativeName): Promise<void> {
    await orTell(name, async () => {
      const contender = await loadAlternative(name)
      if (!(await server.has('normalised'))) await server.create('normalised')
      await contender.prepare(server.place('normalised'), accounts)
      const runner = await start(contender, await copy(name, 'normalised'))
      const known = accounts.filter(
        (account) => contender.request({ of: 'shipments', account, skip: 0, take: 1 }) !== undefined,
      )
      const entrant: Entrant = {
        name: contender.name,
        kind: 'alternative',
        accounts: known,
        runner: { warm: runner, cold: runner },
      }
      await enter(entrant)
    })
  }

  async function orTell(name: string, work: () => Promise<void>): Promise<void> {
    if (!wanted(name)) return
    try {
      await work()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      console.error(`${name} cannot take part: ${why}`)
      skipped.push({ contender: name, why, isFailure: true })
    }
  }
}

/** What the floor has to know, and more: all that anybody reads in any workload. */
function allReads(accounts: DataAccount[]): Wish[] {
  return workloads.flatMap((workload) => workload.heats.flatMap((heat) => drawWishes(workload, accounts, heat)))
}
