import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { markAsCloseBy } from '../storage/coalesced.js'
import { type Database, type DatabaseAddress, openDatabase } from '../storage/database.js'
import { documentBucket } from '../storage/document-bucket.js'
import type { DocumentFiles } from '../storage/document-files.js'
import { documentFolder } from '../storage/document-folder.js'
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../storage/embedded/embedded-database.js'
import { migrate } from '../storage/migrate.js'
import { openReplica, type Replica } from '../storage/readers.js'
import type { Settings } from './settings.js'
import { refuseToWait, stopSignal } from './stop-signal.js'

export type Storage = {
  address: DatabaseAddress
  /** By which the database tells the connections of a process, or of a crew, from all others. */
  crew: string
  db: Database
  /** Servers that follow it: nothing is asked of them before something is read. */
  replicas: Replica[]
  files: DocumentFiles
  /** From here on a signal to stop lets what runs come to its end. */
  outlastStop(): void
  close(): Promise<void>
}

/** A database that the main process of a crew keeps open, for whoever holds that post. */
export type KeptDatabase = { address: DatabaseAddress; crew: string; post: number }

/**
 * The database of the settings, or Waybill's own in the data folder; or one that somebody else keeps open. A signal to
 * stop ends its connections, so that the work unwinds.
 */
export async function connectStorage(settings: Settings, kept?: KeptDatabase): Promise<Storage> {
  const { databaseUrl, databaseConnections, databaseReadUrls, dataFolder, documents } = settings
  const stop = stopSignal()
  const folder = resolve(dataFolder)
  const named = kept?.address ?? (databaseUrl === undefined ? undefined : { url: databaseUrl })
  const embedded = named ? undefined : await openEmbeddedDatabase(folder, { stop })
  const address = named ?? (embedded as EmbeddedDatabase).address
  const crew = kept?.crew ?? randomBytes(8).toString('hex')
  const db = openDatabase(address, { connections: databaseConnections, name: connectionName(crew, kept?.post) })
  if (availableParallelism() > settings.workers) markAsCloseBy(db)
  const replicas = databaseReadUrls.map((url) => openReplica(url, { connections: databaseConnections }))

  const interrupt = () => void db.end({ timeout: 0 })
  if (stop.aborted) interrupt()
  else stop.addEventListener('abort', interrupt)
  return {
    address,
    crew,
    db,
    replicas,
    files: openDocuments(documents, join(folder, 'documents')),
    outlastStop() {
      stop.throwIfAborted()
      stop.removeEventListener('abort', interrupt)
    },
    async close() {
      stop.removeEventListener('abort', interrupt)
      // Whoever read there is done: one that is away must not be waited for.
      await Promise.all([db.end({ timeout: 5 }), ...replicas.map((replica) => replica.db.end({ timeout: 0 }))])
      await embedded?.release()
    },
  }
}

/** Of its 63 characters the first count: whose crew it is, and who in it. */
function connectionName(crew: string, post: number | undefined): string {
  const place = post === undefined ? '' : `${post}.`
  return `waybill ${crew} ${place}${process.pid}@${hostname()}`.slice(0, 63)
}

function openDocuments(documents: Settings['documents'], ownFolder: string): DocumentFiles {
  if (documents === undefined) return documentFolder(ownFolder)
  return 'folder' in documents ? documentFolder(documents.folder) : documentBucket(documents, ownFolder)
}

/**
 * Opens the storage, with the schema up to date, for as long as the work takes. Whoever keeps a database open has seen
 * to its schema.
 */
export async function withStorage<Result>(
  settings: Settings,
  work: (storage: Storage) => Promise<Result>,
  kept?: KeptDatabase,
): Promise<Result> {
  const storage = await connectStorage(settings, kept)
  const done = new AbortController()
  try {
    const ready = kept ? Promise.resolve() : migrate(storage.db)
    return await Promise.race([ready.then(() => work(storage)), refuseToWait(done.signal)])
  } finally {
    done.abort()
    await storage.close()
  }
}
