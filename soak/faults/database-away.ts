import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import type { DatabaseKind, FaultyDatabase } from '../database.js'
import { isDeclaredUnavailable, isResponse, type Outcome, type Wanted } from '../exchange.js'
import type { Part, SoakOptions } from '../part.js'
import { until } from '../program.js'
import { World } from '../world.js'

/** Milliseconds: the longest time until a request is refused, and until the service has recovered. */
type Limits = { refusal: number; recovery: number }
const promised: Limits = { refusal: 2000, recovery: 5000 }
// Limits for tests, which may run on a busy machine.
const generous: Limits = { refusal: 20_000, recovery: 60_000 }

/** The database is killed under the running service. */
export function killedDatabase(kind: DatabaseKind): Part {
  const name = `killed-database:${kind}`
  return {
    name,
    async run(options) {
      const kills = options.isShort ? 1 : 20
      const random = createRandom(`${options.seed}/${name}`)
      const world = await World.open(options, kind)
      let slowest = 0
      for (let kill = 1; kill <= kills; kill += 1) {
        await world.load.during(async () => {
          await world.untilWritten(options.isShort ? 15 : random.integer(20, 150))
          await sleep(random.integer(0, 50))
          const watch = watchRefusals(world)
          await world.database.kill()
          world.faults += 1
          // Waybill restarts its embedded database itself.
          if (kind === 'postgres') {
            await sleep(random.integer(0, 1500))
            if (await world.isReady()) world.traffic.violate('the service reports ready without its database')
            await world.database.restart()
          }
          slowest = Math.max(slowest, await recover(world))
          watch.end()
        })
        await world.compareNow()
      }
      world.figures.push(['slowest recovery', seconds(slowest)], ['slowest 503', slowestRefusal(world)])
      return world.close({
        name,
        detail: `All processes of PostgreSQL were killed ${kills} times under the running service, and started again.`,
      })
    },
  }
}

/** The database hangs: its connections are open, but it does not respond. */
export function pausedDatabase(kind: DatabaseKind): Part {
  const name = `paused-database:${kind}`
  return {
    name,
    run: (options) =>
      runAbsence(name, kind, options, {
        leave: (database) => database.pause(),
        comeBack: (database) => database.resume(),
        detail: 'All processes of PostgreSQL were stopped (SIGSTOP), with their connections open,',
      }),
  }
}

/** The database is shut down, as for maintenance. (Waybill would restart its embedded database at once.) */
export function stoppedDatabase(): Part {
  const name = 'stopped-database:postgres'
  return {
    name,
    run: (options) =>
      runAbsence(name, 'postgres', options, {
        leave: (database) => database.stop(),
        comeBack: (database) => database.restart(),
        detail: 'PostgreSQL was shut down',
      }),
  }
}

type Absence = Record<'leave' | 'comeBack', (database: FaultyDatabase) => Promise<void>> & { detail: string }

async function runAbsence(name: string, kind: DatabaseKind, options: SoakOptions, absence: Absence) {
  const duration = options.isShort ? 4000 : 30_000
  const world = await World.open(options, kind)
  await world.load.during(async () => {
    await sleep(1000)
    const watch = watchRefusals(world)
    await absence.leave(world.database)
    world.faults += 1
    const end = performance.now() + duration
    while (performance.now() < end) {
      if (await world.isReady()) world.traffic.violate('the service reports ready without its database')
      await sleep(500)
    }
    await absence.comeBack(world.database)
    world.figures.push(['recovery', seconds(await recover(world))], ['slowest 503', slowestRefusal(world)])
    watch.end()
  })
  return world.close({ name, detail: `${absence.detail} for ${duration / 1000} s.` })
}

/** Waits until a request succeeds again; a violation if that takes too long. */
async function recover(world: World): Promise<number> {
  const { recovery } = limitsOf(world)
  let isAnswered = false
  const watch = listen(world, (_wanted, outcome) => {
    isAnswered ||= isResponse(outcome) && outcome.status < 300
  })
  const waited = await until('the service responds again', async () => (await world.isReady()) && isAnswered)
  watch.end()
  if (waited > recovery) world.traffic.violate(`the service recovered only after ${seconds(waited)}`)
  return waited
}

/** Refusals must come within the limit. */
function watchRefusals(world: World): { end: () => void } {
  const { refusal } = limitsOf(world)
  return listen(world, ({ method, path }, outcome) => {
    const isRefused = isResponse(outcome) && isDeclaredUnavailable(outcome)
    if (isRefused && outcome.milliseconds > refusal)
      world.traffic.violate(`${method} ${path} was refused only after ${seconds(outcome.milliseconds)}`)
    if (!isResponse(outcome)) world.traffic.violate(`${method} ${path}: ${outcome.code} instead of a response`)
  })
}

function limitsOf({ isShort }: World): Limits {
  return isShort ? generous : promised
}

function listen(world: World, listener: (wanted: Wanted, outcome: Outcome) => void): { end: () => void } {
  const { traffic } = world
  const before = traffic.listener
  traffic.listener = (wanted, outcome) => {
    before?.(wanted, outcome)
    listener(wanted, outcome)
  }
  return {
    end() {
      traffic.listener = before
    },
  }
}

function slowestRefusal({ traffic }: World): string {
  return seconds(traffic.tally.slowestUnavailable)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
