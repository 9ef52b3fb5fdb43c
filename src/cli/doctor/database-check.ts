import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../database/database.js'
import { checkEmbeddedDatabase } from '../../database/embedded/embedded-database.js'
import { findSchemaVersion, schemaVersion } from '../../database/migrate.js'
import { openReplica } from '../../database/replicas.js'
import { readReplicaInfo, readServerInfo, type ServerInfo } from '../../database/server-info.js'
import { findDatabaseFailure } from '../database-failure.js'
import { withConnection } from '../open-storage.js'
import type { Settings } from '../settings.js'
import { storageFailure } from '../storage-failure.js'
import { checkDatabaseClock } from './clock-check.js'
import { catchFindings, type Finding, ok, reasonOf, skipped, warning, wrong } from './finding.js'

const subject = 'database'
/** Checks the database server, durability, connections, schema, clock and replicas. */
export async function checkDatabase(settings: Settings): Promise<Finding[]> {
  const isEmbedded = settings.databaseUrl === undefined
  const fix = isEmbedded
    ? `see ${join(settings.dataFolder, 'postgres', 'server.log')}`
    : 'start PostgreSQL, or correct DATABASE_URL'
  const connection = { ...settings, databaseConnections: 2, databaseReadUrls: [], waitForDatabase: 0 }
  return catchFindings(subject, fix, async () => {
    if (isEmbedded && !(await isCreated(settings))) {
      await checkEmbeddedDatabase()
      return [skipped(subject, `there is none yet in ${settings.dataFolder}: \`waybill serve\` creates it`)]
    }
    return withConnection(connection, async ({ db }) => {
      const info = await readServerInfo(db)
      const good = ok(subject, `PostgreSQL ${info.version}, database ${info.database}, user ${info.user}`)
      return [
        ...orElse(serverFindings(info), good),
        ...orElse(durabilityFindings(info), ok('durability', 'acknowledged writes are durable')),
        ...connectionFindings(info, settings),
        ...(await checkMigrations(db)),
        ...(await checkDatabaseClock(db)),
        ...(await checkReplicas(db, settings)),
      ]
    })
  })
}

async function isCreated(settings: Settings): Promise<boolean> {
  try {
    await stat(join(settings.dataFolder, 'postgres', 'PG_VERSION'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw storageFailure(error, settings)
  }
}

function orElse(findings: Finding[], good: Finding): Finding[] {
  return findings.length === 0 ? [good] : findings
}

function serverFindings(info: ServerInfo): Finding[] {
  const { version, versionNumber, encoding, user, schema, database } = info
  const found: Finding[] = []
  if (versionNumber < 150_000) found.push(wrong(subject, `PostgreSQL ${version} is too old`, 'upgrade it to 15 to 18'))
  if (versionNumber >= 190_000) {
    found.push(
      warning(subject, `PostgreSQL ${version} is newer than the versions that Waybill is tested with`, 'use 15 to 18'),
    )
  }
  if (encoding !== 'UTF8') {
    const fix = 'create a database with encoding UTF8, and restore a backup into it'
    found.push(wrong(subject, `its encoding is ${encoding}: it cannot store all text`, fix))
  }
  if (info.isReplica) {
    found.push(wrong(subject, 'it is a read-only replica', 'name the primary in DATABASE_URL'))
  }
  if (info.isReadOnly) {
    const fix = `alter role ${user} in database ${database} reset default_transaction_read_only`
    found.push(wrong(subject, 'its transactions are read only', fix))
  }
  if (!info.mayCreate) {
    const fix = `grant create, usage on schema ${schema ?? 'public'} to ${user}`
    found.push(wrong(subject, `${user} may not create tables`, fix))
  }
  if (!info.mayCreateTemporary) {
    const fix = `grant temporary on database ${database} to ${user}`
    found.push(wrong(subject, `${user} may not create temporary tables: imports fail`, fix))
  }
  const [first] = info.foreignTables
  if (first !== undefined) {
    const what = `${info.foreignTables.length} tables belong to another role, for example ${first}`
    found.push(wrong(subject, what, `alter table ${first} owner to ${user}, likewise the others`))
  }
  if (!info.isEncrypted && !info.isPrivateNetwork) {
    found.push(warning(subject, 'the connection is not encrypted', 'add ?sslmode=verify-full to DATABASE_URL'))
  }
  return found
}

function durabilityFindings({ fsync, fullPageWrites, synchronousCommit }: ServerInfo): Finding[] {
  const found: Finding[] = []
  if (!fsync || !fullPageWrites) {
    const off = [fsync ? [] : 'fsync', fullPageWrites ? [] : 'full_page_writes'].flat().join(' and ')
    found.push(wrong('durability', `${off} is off: a crash can destroy the database`, `turn ${off} on`))
  }
  if (synchronousCommit === 'off') {
    const what = 'synchronous_commit is off: a crash loses acknowledged writes'
    found.push(wrong('durability', what, 'set synchronous_commit to on'))
  }
  return found
}

function connectionFindings({ maxConnections, otherConnections }: ServerInfo, settings: Settings): Finding[] {
  const { workers, databaseConnections } = settings
  const needed = workers * databaseConnections
  const need = `this installation needs ${needed} connections (${workers} x ${databaseConnections})`
  const fix = 'raise max_connections of PostgreSQL, or lower WAYBILL_DATABASE_CONNECTIONS'
  if (needed > maxConnections) {
    return [wrong('connections', `${need}, but the limit is ${maxConnections}`, fix)]
  }
  if (needed + otherConnections > maxConnections) {
    const what = `${need}, but other clients use ${otherConnections} of ${maxConnections}`
    return [warning('connections', what, fix)]
  }
  return [ok('connections', `${need}; the limit is ${maxConnections}, and other clients use ${otherConnections}`)]
}

async function checkMigrations(db: Database): Promise<Finding[]> {
  const version = await findSchemaVersion(db)
  if (version === schemaVersion) return [ok('migrations', `the schema has version ${version}, the latest`)]
  if (version === 0) return [skipped('migrations', 'the database is empty: `waybill serve` creates the tables')]
  const what = `the schema has version ${version}, this program needs ${schemaVersion}`
  if (version > schemaVersion) return [wrong('migrations', what, 'run a newer Waybill')]
  return [wrong('migrations', what, 'run `waybill migrate`, or start `waybill serve`, which migrates')]
}

// With a longer delay in seconds, nearly all reads go to the primary.
const maxDelay = 30

async function checkReplicas(primary: Database, { databaseReadUrls }: Settings): Promise<Finding[]> {
  if (databaseReadUrls.length === 0) return []
  const { epoch, startedAt } = await readReplicaInfo(primary)
  const found = databaseReadUrls.map(async (url): Promise<Finding> => {
    const { name, db } = openReplica(url, { connections: 1 })
    const about = `replica ${name}`
    try {
      const replica = await readReplicaInfo(db)
      const fix = 'remove it from DATABASE_READ_URLS, or set up its replication again'
      if (replica.epoch !== epoch) return wrong(about, 'it has another database', fix)
      if (replica.startedAt === startedAt) return ok(about, 'it is the primary now: reads go there by DATABASE_URL')
      if (!replica.isReplica) return wrong(about, 'it is not a replica, so it is never used', fix)
      if (replica.delay <= maxDelay) return ok(about, `${replica.delay.toFixed(1)} s behind`)
      return warning(about, `it is ${Math.round(replica.delay)} s behind`, 'check its replication')
    } catch (error) {
      const failure = findDatabaseFailure(error, url, 'DATABASE_READ_URLS') ?? error
      return wrong(about, reasonOf(failure), 'start it, or remove it from DATABASE_READ_URLS')
    } finally {
      await db.end({ timeout: 0 })
    }
  })
  return Promise.all(found)
}
