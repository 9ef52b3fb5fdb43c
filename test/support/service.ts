import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { buildApp } from '../../src/http/app.js'
import type { Service } from '../../src/http/service.js'
import type { Mail } from '../../src/portal-api/mail.js'
import { type Database, openDatabase } from '../../src/storage/database.js'
import { documentFolder } from '../../src/storage/document-folder.js'

export type RunningService = {
  baseUrl: string
  db: Database
  files: Service['files']
  dataFolder: string
  /** What people were sent, the newest last. */
  mails: Mail[]
}

/** Tests hold with a memory of answers and keys, and without. */
const usualMemory = Number(process.env.WAYBILL_TEST_ANSWER_MEMORY ?? 16 * 1024 * 1024)

const usualOptions = {
  rateLimit: undefined,
  publicUrl: undefined,
  demoAccount: undefined,
  serves: { customers: true, operators: true },
  forwarderName: 'Waybill',
  answerMemory: usualMemory,
  logLevel: 'silent',
}

/** The real service on a real port, for the tests of one file; closed when they are done. */
export async function startService(options: Partial<Service> = {}): Promise<RunningService> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'waybill-service-'))
  const db = options.db ?? openDatabase({ url: inject('databaseUrl') }, { connections: 5 })
  const files = options.files ?? documentFolder(join(dataFolder, 'documents'))
  const mails: Mail[] = []
  const app = await buildApp({
    ...usualOptions,
    db,
    files,
    portal: { sendMail: async (mail) => void mails.push(mail) },
    ...options,
  })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await app.close()
    await db.end({ timeout: 1 })
    await rm(dataFolder, { recursive: true, force: true })
  })
  return { baseUrl, db, files, dataFolder, mails }
}

/** Every route of the service, as `GET /v1/shipments`. (What can be got has a head, too.) */
export async function routesOf({ db, files }: RunningService, options: Partial<Service> = {}): Promise<string[]> {
  const app = await buildApp({ ...usualOptions, db, files, portal: { sendMail: async () => {} }, ...options })
  const tree = app.printRoutes({ commonPrefix: false })
  await app.close()
  // A line of the tree is a part of a path, behind those above it that are further to the left.
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    above.splice(depth, above.length, part)
    const named = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return named.map((method) => `${method} ${above.join('')}`)
  })
}
