import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from '../../src/database/errors.js'
import { createRandom } from '../../src/sandbox/random.js'
import type { DatabaseKind } from '../database.js'
import { isResponse } from '../exchange.js'
import type { Part } from '../part.js'
import { startServing } from '../program.js'
import { World } from '../world.js'

/**
 * The service gets SIGTERM under load. Every other time another process has taken over before, as behind a load balancer: then
 * no request may fail. Otherwise requests continue: one without a response must not have been performed.
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
        const isReplaced = stop % 2 === 0
        await world.load.during(async () => {
          await sleep(random.integer(300, 900))
          const held = holdAccount(world, 600)
          await sleep(150)
          longest = Math.max(longest, await (isReplaced ? stopReplaced(world) : stopAlone(world)))
          world.faults += 1
          await held
        })
        await world.compareNow()
      }
      const { brokenAndDone } = world.traffic.tally
      if (brokenAndDone > 0) world.traffic.violate(`${brokenAndDone} writes were performed without a response`)
      const lostAnswers = await countHappened(world)
      if (lostAnswers > 0) world.traffic.violate(`${lostAnswers} writes were performed, and their responses lost`)
      world.figures.push(['slowest stop', `${(longest / 1000).toFixed(1)} s`])
      return world.close({ name, detail: `SIGTERM under load, ${stops} times.` })
    },
  }
}

/**
 * Locks an account, so that writes are pending during the stop. A service that stops may shut down its embedded database before
 * the lock is released.
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

async function stopReplaced(world: World): Promise<number> {
  const leaving = world.service
  const taking = await startServing({ env: world.env })
  world.useServices([taking])
  // Earlier requests have arrived by then.
  await sleep(100)
  const before = world.traffic.listener
  world.traffic.listener = ({ method, path }, outcome) => {
    if (!isResponse(outcome)) world.traffic.violate(`${method} ${path} was dropped: ${outcome.code}`)
  }
  const startedAt = performance.now()
  await world.stop(leaving)
  world.traffic.listener = before
  return performance.now() - startedAt
}

async function stopAlone(world: World): Promise<number> {
  const startedAt = performance.now()
  await world.stop(world.service)
  const took = performance.now() - startedAt
  await world.startService()
  return took
}

/** How many writes with unknown outcome were performed. */
async function countHappened(world: World): Promise<number> {
  const open = world.accounts.flatMap(({ slug }) => world.ledger.of(slug).unknown.map(({ token }) => token))
  const db = await world.database.open()
  const rows = await db`
    select from unnest(${open}::text[]) as open (token)
    where exists (select from changes where record like '%' || open.token || '%')`
  await db.end()
  return rows.length
}
