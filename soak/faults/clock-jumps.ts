import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import { type DatabaseKind, openFaultyDatabase } from '../database.js'
import type { Part } from '../part.js'
import { until } from '../program.js'
import { shiftedDate, shiftedLibraryClock } from '../shifted-clock.js'
import { World } from '../world.js'

// Less than a day, the lifetime of idempotency keys.
const furthest = 6 * 60 * 60

/** The clocks of the service and of the database jump forwards and backwards, independently. */
export function clockJumps(kind: DatabaseKind): Part {
  const name = `clock-jumps:${kind}`
  return {
    name,
    async run(options) {
      const jumps = options.isShort ? 4 : 60
      const random = createRandom(`${options.seed}/${name}`)
      const folder = join(options.folder, 'clocks')
      const ours = shiftedDate(folder)
      const theirs = kind === 'postgres' ? shiftedLibraryClock(folder) : undefined
      const database = await openFaultyDatabase(kind, join(options.folder, kind), theirs?.environment)
      const world = await World.open(options, kind, { database })
      await world.stopService()
      await world.startService({ nodeFlags: ours.nodeFlags })
      const groups = options.isShort ? 1 : 6
      for (let group = 0; group < groups; group += 1) {
        await world.load.during(async () => {
          for (let jump = 0; jump < jumps / groups; jump += 1) {
            await sleep(random.integer(100, 600))
            const clock = theirs && random.chance(0.5) ? theirs : ours
            clock.shift(random.integer(-furthest, furthest))
            world.faults += 1
            // A test waits for a write after each jump.
            if (options.isShort) await untilShipment(world)
          }
        })
        await world.compareNow()
      }
      await expectJumps(world, theirs !== undefined)
      ours.shift(0)
      theirs?.shift(0)
      const whose = theirs ? 'of the service and of PostgreSQL' : 'of the service'
      return world.close({
        name,
        detail: `The clock ${whose} jumped ${jumps} times, by up to six hours in either direction.`,
      })
    },
  }
}

async function untilShipment(world: World): Promise<void> {
  const db = await world.database.open()
  const countShipments = async () => (await db`select from changes where kind = 'shipment' and what = 'created'`).length
  const before = await countShipments()
  await until('another shipment', async () => (await countShipments()) > before)
  await db.end()
}

/** Verifies that the clocks jumped: shipments have the time of the service, changes that of the database. */
async function expectJumps(world: World, areTheirs: boolean): Promise<void> {
  const db = await world.database.open()
  const [row] = await db<{ ours: number; theirs: number }[]>`
    select (max(created) - min(created)) / 60 as ours, extract(epoch from max(at) - min(at))::float8 / 60 as theirs
    from (
      select extract(epoch from (record::jsonb ->> 'created_at')::timestamptz)::float8 as created, at
      from changes where kind = 'shipment' and record is not null
    ) stated`
  await db.end()
  const isShifted = (minutes: number | undefined) => (minutes ?? 0) > 10
  if (!isShifted(row?.ours) || (areTheirs && !isShifted(row?.theirs)))
    world.traffic.violate(`the clocks have not jumped: ${JSON.stringify(row)} minutes`)
}
