import { resolve } from 'node:path'
import { type Database, openDatabase } from '../storage/database.js'
import { type DocumentFiles, documentFiles } from '../storage/document-files.js'
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
export async function connectStorage({ databaseUrl, databaseConnections, dataFolder }: Settings): Promise<Storage> {
  const stop = stopSignal()
  const folder = resolve(dataFolder)
  const embedded = databaseUrl === undefined ? await openEmbeddedDatabase(folder, { stop }) : undefined
  const db = openDatabase(embedded?.address ?? { url: databaseUrl as string }, { connections: databaseConnections })

  const interrupt = () => void db.end({ timeout: 0 })
  if (stop.aborted) interrupt()
  else stop.addEventListener('abort', interrupt)
  return {
    db,
    files: documentFiles(folder),
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
