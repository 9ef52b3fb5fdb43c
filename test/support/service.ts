import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { buildApp } from '../../src/http/app.js'
import type { Service } from '../../src/http/service.js'
import { type Database, openDatabase } from '../../src/storage/database.js'
import { documentFiles } from '../../src/storage/document-files.js'
import { readServiceSecrets } from '../../src/storage/service.js'

export type RunningService = { baseUrl: string; db: Database; files: Service['files']; dataFolder: string }

/** The real service on a real port, for the tests of one file; closed when they are done. */
export async function startService(options: Partial<Service> = {}): Promise<RunningService> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'waybill-service-'))
  const db = options.db ?? openDatabase({ url: inject('databaseUrl') }, { connections: 5 })
  const files = documentFiles(dataFolder)
  const app = await buildApp({
    db,
    files,
    secrets: await readServiceSecrets(db),
    rateLimit: undefined,
    publicUrl: undefined,
    demoAccount: undefined,
    logLevel: 'silent',
    ...options,
  })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await app.close()
    await db.end({ timeout: 1 })
    await rm(dataFolder, { recursive: true, force: true })
  })
  return { baseUrl, db, files, dataFolder }
}
