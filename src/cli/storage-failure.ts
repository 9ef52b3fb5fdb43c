import { join, resolve } from 'node:path'
import { findDatabaseFailure, findEmbeddedFailure } from './database-failure.js'
import { findFileFailure } from './file-failure.js'
import type { Settings } from './settings.js'

/** Explains an error of the database or of a configured folder with the name of its setting; returns other errors unchanged. */
export function storageFailure(error: unknown, settings: Settings): unknown {
  const { databaseUrl, dataFolder, documents } = settings
  const ofDatabase =
    databaseUrl === undefined
      ? findEmbeddedFailure(error, join(resolve(dataFolder), 'postgres'))
      : findDatabaseFailure(error, databaseUrl)
  if (ofDatabase) return ofDatabase
  // Without a path it may concern any open file, such as the import file.
  if ((error as NodeJS.ErrnoException | undefined)?.path === undefined) return error
  const ofDocuments =
    documents && 'folder' in documents
      ? findFileFailure(error, { name: 'WAYBILL_DOCUMENTS', path: documents.folder })
      : undefined
  return ofDocuments ?? findFileFailure(error, { name: 'WAYBILL_DATA_DIR', path: dataFolder }) ?? error
}
