import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import type { DatabaseKind, FaultyDatabase } from '../database.js'
import { isAnswer, isDeclaredUnavailable, type Outcome, type Wanted } from '../exchange.js'
import type { Part, SoakOptions } from '../part.js'
import { until } from '../program.js'
import { World } from '../world.js'

/** In milliseconds: how soon a request is refused, and how soon the service is back. */
type Limits = { refusal: number; recovery: number }
const promised: Limits = { refusal: 2000, recovery: 5000 }
// A test may run on a machine that is busy with others: there it is only to happen at all.
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
          // Waybill's own is started by Waybill.
          if (kind === 'postgres') {
            await sleep(random.integer(0, 1500))
            if (await world.isReady()) world.traffic.violate('without its database it says that it is ready')
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
        told: `All processes of PostgreSQL were killed ${kills} times under the running service, and started again.`,
      })
    },
  }
}

/** The database hangs: its connections are open, and nothing answers. */
export function pausedDatabase(kind: DatabaseKind): Part {
  const name = `paused-database:${kind}`
  return {
    name,
    run: (options) =>
      leaveAlone(name, kind, options, {
        leave: (database) => database.pause(),
        comeBack: (database) => database.resume(),
        told: 'All processes of PostgreSQL were stopped (SIGSTOP), with their connections open,',
      }),
  }
}

/** The database is shut down for a while, as for maintenance. Waybill's own would be started again at once. */
export function stoppedDatabase(): Part {
  const name = 'stopped-database:postgres'
  return {
    name,
    run: (options) =>
      leaveAlone(name, 'postgres', options, {
        leave: (database) => database.stop(),
        comeBack: (database) => database.restart(),
        told: 'PostgreSQL was shut down',
      }),
  }
}

type Absence = Record<'leave' | 'comeBack', (database: FaultyDatabase) => Promise<void>> & { told: string }

async function leaveAlone(name: string, kind: DatabaseKind, options: SoakOptions, absence: Absence) {
  const duration = options.isShort ? 4000 : 30_000
  const world = await World.open(options, kind)
  await world.load.during(async () => {
    await sleep(1000)
    const watch = watchRefusals(world)
    await absence.leave(world.database)
    world.faults += 1
    const end = performance.now() + duration
    while (performance.now() < end) {
      if (await world.isReady()) world.traffic.violate('without its database it says that it is ready')
      await sleep(500)
    }
    await absence.comeBack(world.database)
    world.figures.push(['recovery', seconds(await recover(world))], ['slowest 503', slowestRefusal(world)])
    watch.end()
  })
  return world.close({ name, told: `${absence.told} for ${duration / 1000} s.` })
}

/** Until somebody is answered again; a violation when that takes too long. */
async function recover(world: World): Promise<number> {
  const { recovery } = limitsOf(world)
  let isAnswered = false
  const watch = listen(world, (_wanted, outcome) => {
    isAnswered ||= isAnswer(outcome) && outcome.status < 300
  })
  const waited = await until('the service answers again', async () => (await world.isReady()) && isAnswered)
  watch.end()
  if (waited > recovery) world.traffic.violate(`the service was back only after ${seconds(waited)}`)
  return waited
}

/** Whoever is refused is refused soon. */
function watchRefusals(world: World): { end: () => void } {
  const { refusal } = limitsOf(world)
  return listen(world, ({ method, path }, outcome) => {
    const isRefused = isAnswer(outcome) && isDeclaredUnavailable(outcome)
    if (isRefused && outcome.milliseconds > refusal)
      world.traffic.violate(`${method} ${path} was refused only after ${seconds(outcome.milliseconds)}`)
    if (!isAnswer(outcome)) world.traffic.violate(`${method} ${path}: ${outcome.code} instead of an answer`)
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
