import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type DatabaseKind, type FaultyDatabase, openFaultyDatabase } from '../database.js'
import { isResponse } from '../exchange.js'
import type { Part, PartResult, SoakOptions } from '../part.js'
import { until } from '../program.js'
import { mountSmallDisk, type SmallDisk } from '../small-disk.js'
import { World } from '../world.js'

/** The disk of the database and the documents is full. */
export function fullDisk(kind: DatabaseKind): Part {
  const name = `full-disk:${kind}`
  return {
    name,
    run: (options) =>
      withDisk(name, options, 320, async (disk) => {
        const rounds = options.isShort ? 1 : 5
        const database = await openFaultyDatabase(kind, disk.folder)
        const world = await World.open(options, kind, { database })
        let slowest = 0
        for (let round = 1; round <= rounds; round += 1) {
          await world.load.during(async () => {
            await sleep(1000)
            const keeper = keepRunning(database)
            await stayFull(world, disk, options.isShort ? 3000 : 10_000)
            await disk.makeRoom()
            slowest = Math.max(slowest, await untilWritten(world))
            await keeper.end()
          })
          await world.compareNow()
        }
        world.figures.push(['slowest recovery', `${(slowest / 1000).toFixed(1)} s`])
        return world.close({
          name,
          detail: `The disk of the database and of the documents (a tmpfs) was full ${rounds} times, for ${options.isShort ? 3 : 10} s each.`,
        })
      }),
  }
}

/** Only the disk of the documents is full: everything else works. */
export function fullDocuments(): Part {
  const name = 'full-documents:embedded'
  return {
    name,
    run: (options) =>
      withDisk(name, options, 16, async (disk) => {
        const env = { WAYBILL_DOCUMENTS: pathToFileURL(disk.folder).href }
        const world = await World.open(options, 'embedded', { env })
        let refused = 0
        let written = 0
        world.traffic.listener = ({ method, path }, outcome) => {
          const isUpload = method === 'POST' && path.endsWith('/documents')
          if (!isResponse(outcome)) world.traffic.violate(`${method} ${path}: ${outcome.code} on a full disk`)
          else if (isUpload && outcome.status === 503) refused += 1
          else if (outcome.status === 503)
            world.traffic.violate(`${method} ${path}: 503 although only the disk of the documents is full`)
          else if (method !== 'GET' && !isUpload && outcome.status < 300) written += 1
        }
        await world.load.during(async () => {
          await sleep(500)
          await stayFull(world, disk, options.isShort ? 3000 : 10_000)
          await disk.makeRoom()
        })
        if (refused === 0) world.traffic.violate('no upload was refused on a full disk')
        world.figures.push(['uploads refused', String(refused)], ['other writes meanwhile', String(written)])
        return world.close({
          name,
          detail: 'The disk of the documents alone (a tmpfs) was full; everything else was available.',
        })
      }),
  }
}

async function withDisk(
  name: string,
  options: SoakOptions,
  megabytes: number,
  run: (disk: SmallDisk) => Promise<PartResult>,
): Promise<PartResult> {
  const disk = await mountSmallDisk(join(options.folder, 'disk'), megabytes)
  if (!disk) {
    const counts = {
      requests: 0,
      faults: 0,
      acknowledgedWrites: 0,
      lost: 0,
      doubled: 0,
      unexpectedFailures: 0,
      leaks: 0,
    }
    const detail = '**Not run**: this user may not mount a file system.'
    return { name, detail, ...counts, seconds: 0, figures: [], violations: [] }
  }
  try {
    return await run(disk)
  } finally {
    await disk.remove()
  }
}

/** Fills space that becomes free again, too. */
async function stayFull(world: World, disk: SmallDisk, milliseconds: number): Promise<void> {
  world.faults += 1
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    await disk.fill()
    await sleep(100)
  }
}

async function untilWritten(world: World): Promise<number> {
  const before = world.ledger.acknowledgedWrites
  return until('something is written again', () => world.ledger.acknowledgedWrites > before + 10)
}

/** Restarts PostgreSQL when it exits, as a service manager does. Waybill restarts the embedded one. */
function keepRunning(database: FaultyDatabase): { end: () => Promise<void> } {
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      if (database.kind === 'postgres' && !(await database.isRunning())) await database.restart()
      await sleep(100)
    }
  })()
  return {
    async end() {
      isOver = true
      await watching
    },
  }
}
