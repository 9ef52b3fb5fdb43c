import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import type { ImportLine } from '../../src/contract/import-line.js'
import type { Service } from '../../src/http/service.js'
import { importLines } from '../../src/operator/import/import.js'
import { issueKey } from '../../src/operator/keys.js'
import { listAccounts } from '../../src/storage/accounts.js'
import { openDatabase } from '../../src/storage/database.js'
import { migrate } from '../../src/storage/migrate.js'
import { administer, withDatabase } from './database.js'
import { comparableAnswer, readablePaths } from './readable-paths.js'
import { type RunningService, startService } from './service.js'

/** Two services on databases of their own, and the way from one to the other: export, then import. */
export async function startRoundTrip() {
  const before = await serviceOnNewDatabase('before')
  const after = await serviceOnNewDatabase('after')
  const folder = await mkdtemp(join(tmpdir(), 'waybill-export-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Takes accounts from one database to the other, and compares all that they can read there and here. */
  async function expectSameAnswers(slugs: string[], atLeast = 50): Promise<void> {
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
            const one = await comparableAnswer(before, path, keysBefore[index] as string)
            const other = await comparableAnswer(after, path, keysAfter[index] as string)
            expect(other, `${slug} ${path}`).toEqual(one)
          }),
        )
      }
      expect(await contents(after, keysAfter[index] as string)).toEqual(
        await contents(before, keysBefore[index] as string),
      )
    }
  }

  return { before, after, folder, expectSameAnswers }
}

/** Hashes of the bytes of all documents. */
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
  const found = (await listAccounts(service.db)).find((account) => account.slug === slug)
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
