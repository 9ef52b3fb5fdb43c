import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import { openCuttingProxy } from '../cutting-proxy.js'
import type { DatabaseKind } from '../database.js'
import type { Part } from '../part.js'
import { until } from '../program.js'
import { World } from '../world.js'

/** Connections to the database are cut in use, also between a commit and its response. */
export function cutConnections(kind: DatabaseKind): Part {
  const name = `cut-connections:${kind}`
  return {
    name,
    async run(options) {
      const wanted = options.isShort ? 2 : 100
      const world = await World.open(options, kind)
      const proxy = await insertProxy(world, options.seed)
      const rounds = options.isShort ? 1 : 10
      for (let round = 1; round <= rounds; round += 1) {
        await world.load.during(async () => {
          proxy.cutOften(options.isShort ? 60 : 20)
          const enough = (wanted * round) / rounds
          await until(
            'enough connections were cut',
            () => Object.values(proxy.made).every((made) => made >= enough),
            120_000,
          )
          proxy.cutOften(0)
        })
        await world.compareNow()
      }
      const made = Object.entries(proxy.made)
      world.faults = made.reduce((sum, [, count]) => sum + count, 0)
      world.figures.push(...made.map(([cut, count]): [string, string] => [`cut ${cut}`, String(count)]))
      world.figures.push(['retries that found the write done', String(world.traffic.tally.replayed)])
      const result = await world.close({
        name,
        detail: `A proxy between the service and PostgreSQL cut connections ${world.faults} times: in transactions, between commit and response, and after single statements.`,
      })
      await proxy.close()
      return result
    },
  }
}

/** Makes the service connect to its database through a proxy. */
async function insertProxy(world: World, seed: number) {
  const random = createRandom(`${seed}/proxy`)
  const { database } = world
  if (database.kind === 'postgres') {
    const url = new URL(database.env.DATABASE_URL as string)
    const proxy = await openCuttingProxy({ port: Number(url.port) }, { random })
    url.port = String(proxy.port)
    world.env.DATABASE_URL = url.href
    await world.stopService()
    await world.startService()
    return proxy
  }
  // The proxy takes the place of the socket. Open connections are terminated.
  const socket = join(database.env.WAYBILL_DATA_DIR as string, 'postgres', '.s.PGSQL.5432')
  await rename(socket, `${socket}.behind`)
  const proxy = await openCuttingProxy({ path: `${socket}.behind` }, { random, at: socket })
  const db = await database.open()
  await db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'waybill%' and application_name <> 'waybill-lease' and pid <> pg_backend_pid()`
  await db.end()
  await sleep(500)
  return proxy
}
