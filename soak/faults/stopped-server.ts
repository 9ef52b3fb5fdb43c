import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import { isUnreachable } from '../../src/storage/database.js'
import type { DatabaseKind } from '../database.js'
import { isAnswer } from '../exchange.js'
import type { Part } from '../part.js'
import { startServing } from '../program.js'
import { World } from '../world.js'

/**
 * The service is told to stop under load. Every other time another one has taken its place before, as behind a balancer:
 * then nobody may notice anything. Otherwise it is asked on while it stops: whoever is not answered was not heard.
 */
export function stoppedServer(kind: DatabaseKind): Part {
  const name = `stopped-server:${kind}`
  return {
    name,
    async run(options) {
      const stops = options.isShort ? 2 : 20
      const random = createRandom(`${options.seed}/${name}`)
      const world = await World.open(options, kind)
      let longest = 0
      for (let stop = 1; stop <= stops; stop += 1) {
        const isRelieved = stop % 2 === 0
        await world.load.during(async () => {
          await sleep(random.integer(300, 900))
          const held = holdAccount(world, 600)
          await sleep(150)
          longest = Math.max(longest, await (isRelieved ? stopRelieved(world) : stopAlone(world)))
          world.faults += 1
          await held
        })
        await world.compareNow()
      }
      const { brokenAndDone } = world.traffic.tally
      if (brokenAndDone > 0) world.traffic.violate(`${brokenAndDone} writes were performed, but not answered`)
      const lostAnswers = await countHappened(world)
      if (lostAnswers > 0) world.traffic.violate(`${lostAnswers} writes were performed, and their answers dropped`)
      world.figures.push(['slowest stop', `${(longest / 1000).toFixed(1)} s`])
      return world.close({ name, told: `SIGTERM under load, ${stops} times.` })
    },
  }
}

/**
 * Writes to an account wait meanwhile, so that there is something under way. Where none came, a service that stops takes its own
 * database with it before the time is over.
 */
async function holdAccount(world: World, milliseconds: number): Promise<void> {
  const db = await world.database.open()
  try {
    await db.begin(async (sql) => {
      await sql`select from accounts where slug = 'acme' for update`
      await sleep(milliseconds)
    })
  } catch (error) {
    if (!isUnreachable(error)) throw error
  } finally {
    await db.end({ timeout: 1 })
  }
}

async function stopRelieved(world: World): Promise<number> {
  const leaving = world.service
  const taking = await startServing({ env: world.env })
  world.employ([taking])
  // What was sent before has arrived.
  await sleep(100)
  const before = world.traffic.listener
  world.traffic.listener = ({ method, path }, outcome) => {
    if (!isAnswer(outcome)) world.traffic.violate(`${method} ${path} was dropped: ${outcome.code}`)
  }
  const begun = performance.now()
  await world.stop(leaving)
  world.traffic.listener = before
  return performance.now() - begun
}

async function stopAlone(world: World): Promise<number> {
  const begun = performance.now()
  await world.stop(world.service)
  const took = performance.now() - begun
  await world.startService()
  return took
}

/** Of the writes that were left open, those that have happened. */
async function countHappened(world: World): Promise<number> {
  const open = world.accounts.flatMap(({ slug }) => world.ledger.of(slug).unknown.map(({ token }) => token))
  const db = await world.database.open()
  const rows = await db`
    select from unnest(${open}::text[]) as open (token)
    where exists (select from changes where record like '%' || open.token || '%')`
  await db.end()
  return rows.length
}
