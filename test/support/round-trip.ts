import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import type { Service } from '../../src/api/service.js'
import { exportTo } from '../../src/cli/commands/export.js'
import type { ImportLine } from '../../src/contract/import-line.js'
import { openDatabase } from '../../src/database/database.js'
import { migrate } from '../../src/database/migrate.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { listAccountRows } from '../../src/store/accounts.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { administer, withDatabase } from './database.js'
import { comparableResponse, readablePaths } from './readable-paths.js'
import { type RunningService, startService } from './service.js'

/** Two services with separate databases, and a transfer between them by export and import. */
export async function startRoundTrip() {
  const before = await serviceOnNewDatabase('before')
  const after = await serviceOnNewDatabase('after')
  const folder = await mkdtemp(join(tmpdir(), 'waybill-export-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Transfers accounts to the other database, and compares everything they can read on both. */
  async function expectSameResponses(slugs: string[], atLeast = 50): Promise<void> {
    for (const slug of slugs) {
      const target = join(folder, slug)
      await exportTo(target, before.db, before.files, await accountOf(before, slug))
      const { kept } = await importInto(after, createReadStream(join(target, 'lines.ndjson')), target)
      expect(kept).toBe(true)
    }
    const keysBefore = await keysOf(before, slugs)
    const keysAfter = await keysOf(after, slugs)
    for (const [index, slug] of slugs.entries()) {
      const paths = await readablePaths(before, keysBefore[index] as string)
      expect(paths.length, slug).toBeGreaterThan(slug === 'demo-empty' ? 4 : atLeast)
      for (let start = 0; start < paths.length; start += 16) {
        await Promise.all(
          paths.slice(start, start + 16).map(async (path) => {
            const one = await comparableResponse(before, path, keysBefore[index] as string)
            const other = await comparableResponse(after, path, keysAfter[index] as string)
            expect(other, `${slug} ${path}`).toEqual(one)
          }),
        )
      }
      expect(await contents(after, keysAfter[index] as string)).toEqual(
        await contents(before, keysBefore[index] as string),
      )
    }
  }

  return { before, after, folder, expectSameResponses }
}

/** Content hashes of all documents. */
async function contents(service: RunningService, key: string): Promise<string[]> {
  const response = await fetch(`${service.baseUrl}/v1/documents`, { headers: { authorization: `Bearer ${key}` } })
  const documents = (await response.json()) as { link: string }[]
  const bytes = await Promise.all(documents.map(async ({ link }) => (await fetch(link)).arrayBuffer()))
  return bytes.map((each) => createHash('sha256').update(Buffer.from(each)).digest('hex'))
}

export async function serviceOnNewDatabase(
  name: string,
  options: Partial<Service> = {},
): Promise<RunningService & { url: string }> {
  const database = `waybill_export_${name}_${process.pid}`
  await administer(inject('serverUrl'), `create database ${database}`)
  const url = withDatabase(inject('serverUrl'), database)
  const db = openDatabase({ url }, { connections: 3 })
  await migrate(db)
  afterAll(async () => {
    await db.end({ timeout: 1 })
    await administer(inject('serverUrl'), `drop database ${database} with (force)`)
  })
  return { ...(await startService({ ...options, db })), url }
}

export function importInto(service: RunningService, stream: AsyncIterable<Buffer>, beside: string) {
  return importLines(service, stream, {
    folder: beside,
    skipInvalid: false,
    author: 'test',
    onFault: (fault) => expect.unreachable(JSON.stringify(fault)),
  })
}

export async function* bytesOf(lines: ImportLine[]): AsyncGenerator<Buffer> {
  for (const each of lines) yield Buffer.from(`${JSON.stringify(each)}\n`)
}

export async function accountOf(service: RunningService, slug: string) {
  const found = (await listAccountRows(service.db)).find((account) => account.slug === slug)
  if (!found) throw new Error(`there is no account ${slug}`)
  return { account: found.account_id, slug, name: found.name }
}

export async function keysOf(service: RunningService, slugs: string[]): Promise<string[]> {
  return Promise.all(
    slugs.map(async (slug) => {
      const { account } = await accountOf(service, slug)
      return (await issueKey(service.db, account, { scopes: ['read', 'write'] })).key
    }),
  )
}
