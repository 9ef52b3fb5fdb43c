import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { findAccount } from '../../src/store/accounts.js'
import { issueKey } from '../../src/usecases/accounts/create-key.js'
import { comparableResponse, readablePaths } from './readable-paths.js'
import type { RunningService } from './service.js'

type Reader = { id: number; slug: string; key: string }

/** Expects that the account's records, imported into an empty account, give the same responses. */
export async function expectSameAfterRederivation(service: RunningService, account: Reader): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-afresh-'))
  try {
    const target = join(folder, 'export')
    await exportTo(target, service.db, service.files, { account: account.id, slug: account.slug, name: account.slug })
    const slug = `afresh-${randomBytes(6).toString('hex')}`
    const text = await readFile(join(target, 'lines.ndjson'), 'utf8')
    const lines = text
      .trim()
      .split('\n')
      .map((line) => ({ ...(JSON.parse(line) as object), account: slug }))
    await importLines(service, bytesOf(lines), {
      folder: target,
      skipInvalid: false,
      author: 'test',
      onFault: (fault) => expect.unreachable(JSON.stringify(fault)),
    })
    const id = (await findAccount(service.db, slug)) as number
    const { key } = await issueKey(service.db, id, { scopes: ['read'] })
    const paths = await readablePaths(service, account.key)
    for (const path of paths) {
      expect(await comparableResponse(service, path, key), path).toEqual(
        await comparableResponse(service, path, account.key),
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* bytesOf(lines: object[]): AsyncGenerator<Buffer> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
}
