import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { type Database, type DatabaseAddress, openDatabase } from '../database/database.js'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../database/embedded/embedded-database.js'
import { migrate } from '../database/migrate.js'
import { isPooledByTransaction } from '../database/pooler.js'
import { openReplica, type Replica } from '../database/replicas.js'
import { documentBucket } from '../documents/document-bucket.js'
import type { DocumentFiles } from '../documents/document-files.js'
import { documentFolder } from '../documents/document-folder.js'
import { renewDates } from '../ledger/renew-dates.js'
import { renewInbound } from '../ledger/renew-inbound.js'
import { Failure } from './failure.js'
import type { Settings } from './settings.js'
import { rejectAfterGracePeriod, stopSignal } from './stop-signal.js'
import { storageFailure } from './storage-failure.js'
import { waitForDatabase } from './wait-for-database.js'

export type Storage = {
  address: DatabaseAddress
  db: Database
  /** Read replicas, connected on the first read. */
  replicas: Replica[]
  files: DocumentFiles
  /** From now on a stop signal no longer closes connections, so that running work can finish. */
  drainOnStop(): void
  close(): Promise<void>
}

/** A database that the main process has opened and migrated for its workers. */
export type SharedDatabase = { address: DatabaseAddress }

/**
 * Connects to the database of the settings, the embedded one of the data folder, or the shared one of the main process. A stop
 * signal closes the connections, so that running work fails and unwinds.
 */
export async function connectStorage(settings: Settings, shared?: SharedDatabase): Promise<Storage> {
  const { databaseUrl, databaseConnections, databaseReadUrls, dataFolder, documents, statementTimeout } = settings
  const stop = stopSignal()
  const folder = resolve(dataFolder)
  const given = shared?.address ?? (databaseUrl === undefined ? undefined : { url: databaseUrl })
  const embedded = given ? undefined : await openEmbeddedDatabase(folder, { stop })
  const address = given ?? (embedded as EmbeddedDatabase).address
  const db = openDatabase(address, { connections: databaseConnections, name: connectionName(), statementTimeout })
  const replicas = databaseReadUrls.map((url) =>
    openReplica(url, { connections: databaseConnections, statementTimeout }),
  )

  const interrupt = () => void db.end({ timeout: 0 })
  if (stop.aborted) interrupt()
  else stop.addEventListener('abort', interrupt)
  const storage: Storage = {
    address,
    db,
    replicas,
    files: openDocuments(documents, join(folder, 'documents')),
    drainOnStop() {
      stop.throwIfAborted()
      stop.removeEventListener('abort', interrupt)
    },
    async close() {
      stop.removeEventListener('abort', interrupt)
      // All reads have finished; do not wait for a replica that is unreachable.
      await Promise.all([db.end({ timeout: 5 }), ...replicas.map((replica) => replica.db.end({ timeout: 0 }))])
      await embedded?.release()
    },
  }
  if (databaseUrl !== undefined && settings.waitForDatabase > 0 && !shared) {
    await waitForDatabase(db, databaseUrl, settings.waitForDatabase, stop).catch(async (error: unknown) => {
      await storage.close()
      throw error
    })
  }
  return storage
}

/** The application_name of connections: at most 63 characters. */
function connectionName(): string {
  return `waybill ${process.pid}@${hostname()}`.slice(0, 63)
}

function openDocuments(documents: Settings['documents'], ownFolder: string): DocumentFiles {
  if (documents === undefined) return documentFolder(ownFolder)
  return 'folder' in documents ? documentFolder(documents.folder) : documentBucket(documents, ownFolder)
}

/** Migrates the schema, and derives again what earlier versions derived differently. */
export async function bringUpToDate(db: Database): Promise<{ from: number; to: number }> {
  const versions = await migrate(db)
  await renewDates(db)
  await renewInbound(db)
  return versions
}

/** Runs work with the storage, after migrating the schema. */
export async function withStorage<Result>(
  settings: Settings,
  work: (storage: Storage) => Promise<Result>,
  shared?: SharedDatabase,
): Promise<Result> {
  return withConnection(
    settings,
    async (storage) => {
      storage.db.pool.requirePrimary()
      // The main process has already checked and migrated a shared database.
      if (!shared) await refuseTransactionPooler(settings)
      if (!shared) await bringUpToDate(storage.db)
      return work(storage)
    },
    shared,
  )
}

async function refuseTransactionPooler({ databaseUrl }: Settings): Promise<void> {
  if (databaseUrl === undefined || !(await isPooledByTransaction({ url: databaseUrl }))) return
  throw new Failure(
    'DATABASE_URL leads to a connection pooler that gives each transaction another connection, without the prepared statements of Waybill',
    1,
    'set its pool_mode to session, or connect to PostgreSQL directly',
  )
}

/** Runs work with the storage, without migrating. Fails ten seconds after a stop signal. */
export async function withConnection<Result>(
  settings: Settings,
  work: (storage: Storage) => Promise<Result>,
  shared?: SharedDatabase,
): Promise<Result> {
  const done = new AbortController()
  const gracePeriodOver = rejectAfterGracePeriod(done.signal)
  let storage: Storage | undefined
  try {
    storage = await Promise.race([connectStorage(settings, shared), gracePeriodOver])
    return await Promise.race([work(storage), gracePeriodOver])
  } catch (error) {
    throw stopSignal().aborted ? error : storageFailure(error, settings)
  } finally {
    done.abort()
    await storage?.close()
  }
}
