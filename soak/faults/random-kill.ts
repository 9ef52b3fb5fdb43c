import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/sandbox/random.js'
import type { World } from '../world.js'

/** When a fault began, and when the service was ready again (`performance.now()`). */
export type FaultTime = { from: number; to: number }

/** Kills the service, its database or both with SIGKILL, and starts them again. */
export async function killAtRandom(world: World, random: Random): Promise<FaultTime> {
  const victim = random.weighted([
    ['service', 5],
    ['database', 3],
    ['both', 2],
  ] as const)
  const from = performance.now()
  const { database } = world
  await Promise.all([
    ...(victim === 'database' ? [] : [world.killService()]),
    ...(victim === 'service' ? [] : [database.kill()]),
  ])
  world.faults += 1
  await sleep(random.integer(0, 1500))
  // Waybill restarts its embedded database itself.
  if (victim !== 'service' && database.kind === 'postgres') await database.restart()
  // PostgreSQL may still be replaying its log.
  if (victim !== 'database') await world.startAgain()
  await world.untilReady()
  return { from, to: performance.now() }
}

/** Kills again and again, with the load going on, until the time is over. */
export async function killUntilOver(
  world: World,
  random: Random,
  { kills, minutes, pause }: { kills: number; minutes: number; pause: [least: number, most: number] },
): Promise<FaultTime[]> {
  const faults: FaultTime[] = []
  const end = performance.now() + minutes * 60_000
  while (faults.length < kills && performance.now() < end) {
    await world.untilWritten(5)
    await sleep(random.integer(...pause))
    faults.push(await killAtRandom(world, random))
    if (faults.length % 10 === 0) world.log(`killed ${faults.length} times, ${world.ledger.acknowledgedWrites} writes`)
  }
  world.figures.push(['starts repeated, since the database did not respond in time', String(world.repeatedStarts)])
  return faults
}
