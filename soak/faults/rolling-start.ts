import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/database/database.js'
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js'
import { migrateWithin, schemaVersion } from '../../src/database/migrate.js'
import { type DatabaseKind, type FaultyDatabase, openFaultyDatabase } from '../database.js'
import { exchange, isResponse, openConnections, textOf } from '../exchange.js'
import type { Part, SoakOptions } from '../part.js'
import { runCommand, type Serving, startServe, startServing } from '../program.js'
import { World } from '../world.js'

/** Four processes start concurrently, on an empty database and on older schemas; then each is replaced under load. */
export function rollingStart(kind: DatabaseKind): Part {
  const name = `rolling-start:${kind}`
  return {
    name,
    async run(options) {
      const faults: string[] = []
      for (let version = 1; version < (options.isShort ? 2 : schemaVersion); version += 1) {
        faults.push(...(await startOnOld(options, kind, version)))
      }
      const database = await openFaultyDatabase(kind, join(options.folder, `${kind}-empty`))
      const started = await startFour(database.env)
      const world = await World.open(options, kind, { database })
      await world.stopService()
      world.useServices(started)
      for (const fault of faults) world.traffic.violate(fault)
      await world.load.during(async () => {
        for (const leaving of started) await replace(world, leaving)
      })
      world.faults = 2 * started.length
      await world.compareNow()
      return world.close({
        name,
        detail: `Four processes were started at once on an empty database and on one of each older schema (versions 1 to ${schemaVersion - 1}), with data in it; then each was replaced by a new one under load.`,
      })
    },
  }
}

async function startFour(env: Record<string, string>): Promise<Serving[]> {
  const starting = Array.from({ length: 4 }, () => startServe({ env }))
  return Promise.all(
    starting.map(async ({ program, address }) => {
      const first = await Promise.race([address, program.ended])
      if (typeof first === 'string') return { ...program, baseUrl: first }
      throw new Error(`one of four ended with ${first.code ?? first.signal}: ${program.errors().join('\n')}`)
    }),
  )
}

/** Starts a new process, then stops the old one. */
async function replace(world: World, leaving: Serving): Promise<void> {
  const taking = await startServing({ env: world.env })
  world.useServices([...world.services.filter((each) => each !== leaving), taking])
  await sleep(300)
  await world.stop(leaving)
}

/** Starts four processes on an older schema; returns the faults. */
async function startOnOld(options: SoakOptions, kind: DatabaseKind, version: number): Promise<string[]> {
  const database = await openFaultyDatabase(kind, join(options.folder, `${kind}-${version}`))
  const connections = openConnections({ keepAlive: false })
  try {
    await makeOld(database, version)
    const started = await startFour(database.env)
    const key = await runCommand(['key', 'create', '--account', 'elder'], database.env)
    const faults: string[] = []
    for (const { baseUrl } of started) {
      const outcome = await exchange(baseUrl, { method: 'GET', path: '/v1/locations', key }, connections)
      const text = isResponse(outcome) ? textOf(outcome) : outcome.code
      if (text !== `[${oldLocation}]`) faults.push(`started on schema ${version}, one responds with ${text}`)
    }
    const db = await database.open()
    const [row] = await db<{ versions: string }[]>`
      select string_agg(version::text, ',' order by version) as versions from schema_migrations`
    await db.end()
    const wanted = Array.from({ length: schemaVersion }, (_, index) => index + 1).join()
    if (row?.versions !== wanted) faults.push(`started on schema ${version}, the schema has versions ${row?.versions}`)
    for (const program of started) program.kill('SIGTERM')
    const ended = await Promise.all(started.map((program) => program.ended))
    for (const { code } of ended) if (code !== 0) faults.push(`started on schema ${version}, one ended with ${code}`)
    return faults
  } finally {
    connections.end()
    await database.close()
  }
}

const oldLocation = '{"id":1,"name":"Elder wharf"}'

async function makeOld(database: FaultyDatabase, version: number): Promise<void> {
  const dataFolder = database.env.WAYBILL_DATA_DIR as string
  const embedded = database.kind === 'embedded' ? await openEmbeddedDatabase(dataFolder) : undefined
  const db = embedded ? openDatabase(embedded.address, { connections: 1 }) : await database.open()
  await db.begin((tx) => migrateWithin(tx, version))
  await insertOld(db)
  await db.end()
  await embedded?.release()
}

// As the first version stored it, which every later one can read.
async function insertOld(db: Database): Promise<void> {
  await db`insert into accounts (slug, name, revision, location_revision) values ('elder', 'Elder', 1, 1)`
  await db`
    insert into changes (account_id, kind, id, revision, author, what, record)
    select account_id, 'location', '1', 1, 'import', 'created', ${oldLocation} from accounts where slug = 'elder'`
  await db`
    insert into locations (account_id, location_id, revision, body)
    select account_id, 1, 1, ${oldLocation} from accounts where slug = 'elder'`
}
