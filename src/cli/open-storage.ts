import { join, resolve } from 'node:path'
import { type Database, openDatabase } from '../storage/database.js'
import { documentBucket } from '../storage/document-bucket.js'
import type { DocumentFiles } from '../storage/document-files.js'
import { documentFolder } from '../storage/document-folder.js'
import { openEmbeddedDatabase } from '../storage/embedded/embedded-database.js'
import { migrate } from '../storage/migrate.js'
import type { Settings } from './settings.js'
import { refuseToWait, stopSignal } from './stop-signal.js'

export type Storage = {
  db: Database
  files: DocumentFiles
  /** From here on a signal to stop lets what runs come to its end. */
  outlastStop(): void
  close(): Promise<void>
}

/**
 * The database of the settings, or Waybill's own in the data folder. A signal to stop ends its connections, so that
 * the work unwinds.
 */
export async function connectStorage(settings: Settings): Promise<Storage> {
  const { databaseUrl, databaseConnections, dataFolder, documents } = settings
  const stop = stopSignal()
  const folder = resolve(dataFolder)
  const embedded = databaseUrl === undefined ? await openEmbeddedDatabase(folder, { stop }) : undefined
  const db = openDatabase(embedded?.address ?? { url: databaseUrl as string }, { connections: databaseConnections })

  const interrupt = () => void db.end({ timeout: 0 })
  if (stop.aborted) interrupt()
  else stop.addEventListener('abort', interrupt)
  return {
    db,
    files: openDocuments(documents, join(folder, 'documents')),
    outlastStop() {
      stop.throwIfAborted()
      stop.removeEventListener('abort', interrupt)
    },
    async close() {
      stop.removeEventListener('abort', interrupt)
      await db.end({ timeout: 5 })
      await embedded?.release()
    },
  }
}

function openDocuments(documents: Settings['documents'], ownFolder: string): DocumentFiles {
  if (documents === undefined) return documentFolder(ownFolder)
  return 'folder' in documents ? documentFolder(documents.folder) : documentBucket(documents, ownFolder)
}

/** Opens the storage, with the schema up to date, for as long as the work takes. */
export async function withStorage<Result>(
  settings: Settings,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await connectStorage(settings)
  const done = new AbortController()
  try {
    return await Promise.race([migrate(storage.db).then(() => work(storage)), refuseToWait(done.signal)])
  } finally {
    done.abort()
    await storage.close()
  }
}
