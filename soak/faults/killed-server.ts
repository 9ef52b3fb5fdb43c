import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import type { DatabaseKind } from '../database.js'
import type { Part } from '../part.js'
import { World } from '../world.js'

/** The service is killed while it writes, and started again. */
export function killedServer(kind: DatabaseKind): Part {
  const name = `killed-server:${kind}`
  return {
    name,
    async run(options) {
      const kills = options.isShort ? 1 : 50
      const random = createRandom(`${options.seed}/${name}`)
      const world = await World.open(options, kind)
      for (let kill = 1; kill <= kills; kill += 1) {
        await world.load.during(async () => {
          await world.untilWritten(options.isShort ? 15 : random.integer(20, 150))
          await sleep(random.integer(0, 50))
          await world.killService()
          world.faults += 1
          await world.startService()
        })
        await world.compareNow()
        if (kill % 10 === 0) world.log(`${name}: killed ${kill} times, ${world.ledger.acknowledgedWrites} writes`)
      }
      return world.close({ name, detail: `The service was killed with SIGKILL ${kills} times and started again.` })
    },
  }
}
