import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { extractRevision, previousRevision } from '../../scripts/previous-version.js'
import { schemaVersion } from '../../src/database/migrate.js'
import { openFaultyDatabase } from '../database.js'
import type { Part } from '../part.js'
import { startServing } from '../program.js'
import { World } from '../world.js'

/** Processes of the previous version are replaced by this one, one by one and under load. */
export function upgrade(): Part {
  return {
    name: 'upgrade:beside',
    async run(options) {
      const revision = previousRevision(options.from)
      const folder = join(options.folder, 'previous')
      const previous = buildProgram(revision, folder)
      const database = await openFaultyDatabase('postgres', join(options.folder, 'postgres'))
      const world = await World.open(options, 'postgres', { database, program: previous })
      const [first] = world.services
      const second = await startServing({ env: world.env, program: previous })
      world.useServices([...(first ? [first] : []), second])
      const old = await schemaOf(world)
      const seconds = options.isShort ? 1 : 15
      const started = [...world.services]
      await world.load.during(async () => {
        await sleep(seconds * 1000)
        // It migrates, while the old ones serve.
        const startedAt = performance.now()
        const replacing = await startServing({ env: world.env })
        world.figures.push(['new version serves after', `${((performance.now() - startedAt) / 1000).toFixed(1)} s`])
        started.push(replacing)
        world.useServices([...world.services, replacing])
        await sleep(seconds * 1000)
        for (const leaving of world.services.filter((each) => each !== replacing)) {
          const taking = await startServing({ env: world.env })
          started.push(taking)
          world.useServices([...world.services.filter((each) => each !== leaving), taking])
          await sleep(300)
          await world.stop(leaving)
        }
        await sleep(seconds * 1000)
      })
      world.faults = 2
      for (const line of started.flatMap((each) => each.errors())) world.log(`  ${line}`)
      const { unavailable } = world.traffic.tally
      if (unavailable > 0) world.traffic.violate(`${unavailable} requests got 503 during the upgrade`)
      world.figures.push(['previous version', `${revision}, schema ${old}`], ['schema', String(schemaVersion)])
      await world.compareNow()
      return world.close({
        name: 'upgrade:beside',
        detail:
          'Two processes of the previous version serve; one of this version migrates and joins them; then the old ones are replaced, all under load on one database.',
      })
    },
  }
}

/** The program of a commit, with the packages and pages of this one. */
function buildProgram(revision: string, folder: string): string {
  extractRevision(revision, folder)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  for (const part of ['portal', 'office', 'guides', 'reference', 'library'].filter((each) =>
    existsSync(join('dist', each)),
  )) {
    cpSync(join('dist', part), join(folder, 'dist', part), { recursive: true })
  }
  const make = "import('./scripts/build.ts').then(({ make }) => make.program())"
  const { status, stderr } = spawnSync('node_modules/.bin/tsx', ['--eval', make], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`version ${revision} cannot be built: ${stderr}`)
  return join(folder, 'dist', 'cli', 'main.js')
}

async function schemaOf(world: World): Promise<number> {
  const db = await world.database.open()
  const [row] = await db<{ version: number }[]>`select max(version) as version from schema_migrations`
  await db.end()
  return row?.version ?? 0
}
