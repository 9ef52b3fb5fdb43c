import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../storage/database.js'
import { findSchemaVersion, schemaVersion } from '../../storage/migrate.js'
import { openReplica } from '../../storage/readers.js'
import { findEpoch, readReplicaFacts, readServerFacts, type ServerFacts } from '../../storage/server-facts.js'
import { connectStorage } from '../open-storage.js'
import type { Settings } from '../settings.js'
import { checkDatabaseClock } from './clock-check.js'
import { type Finding, looking, ok, reasonOf, skipped, warning, wrong } from './finding.js'

const subject = 'database'
const mending = 'start PostgreSQL, or correct DATABASE_URL'

/** The database, its schema, its connections, its clock and its replicas. */
export async function checkDatabase(settings: Settings): Promise<Finding[]> {
  const isOwn = settings.databaseUrl === undefined
  if (isOwn && !(await stat(join(settings.dataFolder, 'postgres', 'PG_VERSION')).catch(() => undefined))) {
    return [skipped(subject, `there is none yet in ${settings.dataFolder}: \`waybill serve\` makes it`)]
  }
  const mend = isOwn ? `look into ${join(settings.dataFolder, 'postgres', 'server.log')}` : mending
  return looking(subject, mend, async () => {
    const storage = await connectStorage({ ...settings, databaseConnections: 2, databaseReadUrls: [] })
    try {
      const { db } = storage
      const facts = await readServerFacts(db)
      const named = ok(subject, `PostgreSQL ${facts.version}, database ${facts.database}, as ${facts.user}`)
      return [
        ...orElse(judgeServer(facts), named),
        ...orElse(judgeDurability(facts), ok('durability', 'an acknowledged write is on the disk')),
        ...judgeConnections(facts, settings),
        ...(await checkMigrations(db)),
        ...(await checkDatabaseClock(db)),
        ...(await checkReplicas(db, settings)),
      ]
    } finally {
      await storage.close()
    }
  })
}

function orElse(findings: Finding[], good: Finding): Finding[] {
  return findings.length === 0 ? [good] : findings
}

function judgeServer(facts: ServerFacts): Finding[] {
  const { version, versionNumber, encoding, user, schema, database } = facts
  const found: Finding[] = []
  if (versionNumber < 150_000) found.push(wrong(subject, `PostgreSQL ${version} is too old`, 'upgrade it to 15 to 18'))
  if (versionNumber >= 190_000) {
    found.push(warning(subject, `PostgreSQL ${version} is newer than what Waybill is tested with`, 'use 15 to 18'))
  }
  if (encoding !== 'UTF8') {
    const mend = `create a database with encoding UTF8, and restore a backup into it`
    found.push(wrong(subject, `its encoding is ${encoding}: not every name can be kept`, mend))
  }
  if (facts.isReplica) {
    found.push(wrong(subject, 'it is a replica, and takes no writes', 'name the primary in DATABASE_URL'))
  }
  if (facts.isReadOnly) {
    const mend = `alter role ${user} in database ${database} reset default_transaction_read_only`
    found.push(wrong(subject, 'its transactions are read only', mend))
  }
  if (!facts.mayCreate) {
    const mend = `grant create, usage on schema ${schema ?? 'public'} to ${user}`
    found.push(wrong(subject, `${user} may not create tables in it`, mend))
  }
  if (!facts.mayMakeTemporary) {
    const mend = `grant temporary on database ${database} to ${user}`
    found.push(wrong(subject, `${user} may not make temporary tables: imports fail`, mend))
  }
  const [first] = facts.foreignTables
  if (first !== undefined) {
    const what = `${facts.foreignTables.length} of its tables belong to somebody else, such as ${first}`
    found.push(wrong(subject, what, `alter table ${first} owner to ${user}, and so on`))
  }
  if (!facts.isEncrypted && !facts.isNearby) {
    found.push(warning(subject, 'the way to it is not encrypted', 'add ?sslmode=verify-full to DATABASE_URL'))
  }
  return found
}

function judgeDurability({ fsync, fullPageWrites, synchronousCommit }: ServerFacts): Finding[] {
  const found: Finding[] = []
  if (!fsync || !fullPageWrites) {
    const off = [fsync ? [] : 'fsync', fullPageWrites ? [] : 'full_page_writes'].flat().join(' and ')
    found.push(wrong('durability', `${off} is off: a crash can destroy the database`, `turn ${off} on`))
  }
  if (synchronousCommit === 'off') {
    const what = 'synchronous_commit is off: a crash loses writes that were acknowledged'
    found.push(wrong('durability', what, 'set synchronous_commit to on'))
  }
  return found
}

function judgeConnections({ mostConnections, otherConnections }: ServerFacts, settings: Settings): Finding[] {
  const { workers, databaseConnections } = settings
  const needed = workers * databaseConnections
  const need = `${needed} connections are needed here (${workers} x ${databaseConnections})`
  const mend = 'raise max_connections of PostgreSQL, or lower WAYBILL_DATABASE_CONNECTIONS'
  if (needed > mostConnections) {
    return [wrong('connections', `${need}, and no more than ${mostConnections} can be had`, mend)]
  }
  if (needed + otherConnections > mostConnections) {
    const what = `${need}; of ${mostConnections} that can be had, others have ${otherConnections}`
    return [warning('connections', what, mend)]
  }
  return [ok('connections', `${need}; ${mostConnections} can be had, others have ${otherConnections}`)]
}

async function checkMigrations(db: Database): Promise<Finding[]> {
  const version = await findSchemaVersion(db)
  if (version === schemaVersion) return [ok('migrations', `the schema has version ${version}, the newest`)]
  if (version === 0) return [skipped('migrations', 'the database is empty: `waybill serve` makes its tables')]
  const what = `the schema has version ${version}, this program has ${schemaVersion}`
  if (version > schemaVersion) return [wrong('migrations', what, 'run a newer Waybill')]
  return [wrong('migrations', what, 'run `waybill migrate`, or start `waybill serve`, which does so')]
}

// More than that, and nearly every read is answered by the primary.
const longestDelay = 30

async function checkReplicas(primary: Database, { databaseReadUrls }: Settings): Promise<Finding[]> {
  const epoch = databaseReadUrls.length > 0 ? await findEpoch(primary) : null
  const found = databaseReadUrls.map(async (url): Promise<Finding> => {
    const { name, db } = openReplica(url, { connections: 1 })
    const about = `replica ${name}`
    try {
      const facts = await readReplicaFacts(db)
      const mend = 'take it out of DATABASE_READ_URLS, or let it follow the database again'
      if (!facts.isReplica) return wrong(about, 'it follows nobody: it is never read from', mend)
      if (facts.epoch !== epoch) return wrong(about, 'it follows another database', mend)
      if (facts.delay <= longestDelay) return ok(about, `${facts.delay.toFixed(1)} s behind`)
      return warning(about, `it is ${Math.round(facts.delay)} s behind`, 'look at its replication')
    } catch (error) {
      return wrong(about, reasonOf(error), 'start it, or take it out of DATABASE_READ_URLS')
    } finally {
      await db.end({ timeout: 0 })
    }
  })
  return Promise.all(found)
}
