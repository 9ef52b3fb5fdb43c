import { mkdtemp, rm } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { buildApp } from '../../src/api/app.js'
import type { Service } from '../../src/api/service.js'
import { type Database, openDatabase } from '../../src/database/database.js'
import { documentFolder } from '../../src/documents/document-folder.js'
import type { Mail } from '../../src/mail/messages.js'
import { closeAfterFile } from './open-services.js'

export type RunningService = {
  baseUrl: string
  db: Database
  files: Service['files']
  dataFolder: string
  /** Sent e-mails, newest last. */
  mails: Mail[]
}

/** Tests must pass with and without the response cache. */
const defaultCacheBytes = Number(process.env.WAYBILL_TEST_RESPONSE_CACHE ?? 16 * 1024 * 1024)

// Tests choose their client address by X-Forwarded-For.
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)

const usualOptions = {
  rateLimit: undefined,
  publicUrl: undefined,
  trustedProxies: loopback,
  demoAccount: undefined,
  serves: { customers: true, operators: true },
  forwarderName: 'Waybill',
  cacheBytes: defaultCacheBytes,
  eventDays: 90,
  logLevel: 'silent',
}

/** The real service on a free port, for the tests of one file; closed after them. */
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
  // A test may start one as well, where Vitest takes no hooks.
  closeAfterFile(async () => {
    await app.close()
    await db.end({ timeout: 1 })
    await rm(dataFolder, { recursive: true, force: true })
  })
  return { baseUrl, db, files, dataFolder, mails }
}

/** Every route of the service, as `GET /v1/shipments`, without HEAD. */
export async function routesOf({ db, files }: RunningService, options: Partial<Service> = {}): Promise<string[]> {
  const app = await buildApp({ ...usualOptions, db, files, portal: { sendMail: async () => {} }, ...options })
  const tree = app.printRoutes({ commonPrefix: false })
  await app.close()
  // Each line of the printed tree is a path segment below the less indented line above it.
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    above.splice(depth, above.length, part)
    const named = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return named.map((method) => `${method} ${above.join('')}`)
  })
}
