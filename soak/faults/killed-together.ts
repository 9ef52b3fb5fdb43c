import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/sandbox/random.js'
import type { Part } from '../part.js'
import { World } from '../world.js'

/** Waybill and its embedded database are killed together during writes, like a power failure. */
export function killedTogether(): Part {
  const name = 'killed-together:embedded'
  return {
    name,
    async run(options) {
      const kills = options.isShort ? 2 : 50
      const random = createRandom(`${options.seed}/${name}`)
      const world = await World.open(options, 'embedded')
      let slowest = 0
      for (let kill = 1; kill <= kills; kill += 1) {
        await world.load.during(async () => {
          await world.untilWritten(options.isShort ? 15 : random.integer(20, 150))
          await sleep(random.integer(0, 50))
          await Promise.all([world.killService(), world.database.kill()])
          world.faults += 1
          const startedAt = performance.now()
          await world.startService()
          await world.untilReady()
          slowest = Math.max(slowest, performance.now() - startedAt)
        })
        await world.compareNow()
        if (kill % 10 === 0) world.log(`${name}: killed ${kill} times, ${world.ledger.acknowledgedWrites} writes`)
      }
      world.figures.push(['slowest start until ready', `${(slowest / 1000).toFixed(1)} s`])
      return world.close({
        name,
        detail: `The service and all processes of the embedded database were killed together ${kills} times during writes, and the service was started again.`,
      })
    },
  }
}
