import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import { importLines } from '../../src/operator/import/import.js'
import { issueKey } from '../../src/operator/keys.js'
import { findAccount } from '../../src/storage/accounts.js'
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

/** Every address that an account can read. */
export async function readablePaths(service: RunningService, key: string): Promise<string[]> {
  const list = async (path: string) => {
    const { status, text } = await comparableAnswer(service, path, key)
    return status === 200 ? (JSON.parse(text) as Record<string, string>[]) : []
  }
  const paths = ['/v1/purchaseOrders', '/v1/locations', '/v1/invoices', '/v1/documents', '/v1/shipments?take=100']
  for (let skip = 100; (await list(`/v1/shipments?take=100&skip=${skip}`)).length > 0; skip += 100) {
    paths.push(`/v1/shipments?take=100&skip=${skip}`)
  }
  for (const path of paths.filter((each) => each.startsWith('/v1/shipments'))) {
    for (const { svc_shipment_id } of await list(path)) {
      const id = encodeURIComponent(svc_shipment_id as string)
      paths.push(`/v1/shipments/${id}`, `/v1/tracking/${id}`)
    }
  }
  for (const { po_number } of await list('/v1/purchaseOrders')) {
    paths.push(`/v1/purchaseOrders/${encodeURIComponent(po_number as string)}`)
  }
  for (const { reference } of await list('/v1/invoices')) {
    paths.push(`/v1/invoices/${encodeURIComponent(reference as string)}`)
  }
  for (const { id } of await list('/v1/locations')) paths.push(`/v1/locations/${id}`)
  return paths
}

/** Links are signed for each account on its own, and requests are named anew: all else is compared. */
export async function comparableAnswer(
  service: RunningService,
  path: string,
  key: string,
): Promise<{ status: number; text: string }> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  const same = text.replaceAll(/"link":"[^"]+"/g, '"link":""').replaceAll(/req_\w+/g, 'req')
  return { status: response.status, text: same }
}
