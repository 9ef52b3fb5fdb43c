import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import { importLines } from '../../src/operator/import/import.js'
import { issueKey } from '../../src/operator/keys.js'
import { findAccount } from '../../src/storage/accounts.js'
import { comparableAnswer, readablePaths } from './readable-paths.js'
import type { RunningService } from './service.js'

type Reader = { id: number; slug: string; key: string }

/** Every answer of the account is the one that its records give in an account that was empty before. */
export async function expectDerivedAfresh(service: RunningService, account: Reader): Promise<void> {
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
      expect(await comparableAnswer(service, path, key), path).toEqual(
        await comparableAnswer(service, path, account.key),
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* bytesOf(lines: object[]): AsyncGenerator<Buffer> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
}
