import { resolve } from 'node:path'
import { type Database, openDatabase } from '../storage/database.js'
import { type DocumentFiles, documentFiles } from '../storage/document-files.js'
import { openEmbeddedDatabase } from '../storage/embedded/embedded-database.js'
import { migrate } from '../storage/migrate.js'
import type { Settings } from './settings.js'

export type Storage = { db: Database; files: DocumentFiles; close(): Promise<void> }

/** The database of the settings, or Waybill's own in the data folder, up to date. */
export async function openStorage(settings: Settings): Promise<Storage> {
  const storage = await connectStorage(settings)
  try {
    await migrate(storage.db)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** The same without touching the schema. */
export async function connectStorage({ databaseUrl, databaseConnections, dataFolder }: Settings): Promise<Storage> {
  const folder = resolve(dataFolder)
  const embedded = databaseUrl === undefined ? await openEmbeddedDatabase(folder) : undefined
  const db = openDatabase(embedded?.address ?? { url: databaseUrl as string }, { connections: databaseConnections })
  return {
    db,
    files: documentFiles(folder),
    async close() {
      await db.end({ timeout: 5 })
      await embedded?.release()
    },
  }
}

/** Opens the storage for as long as the work takes. */
export async function withStorage<Result>(
  settings: Settings,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(settings)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
