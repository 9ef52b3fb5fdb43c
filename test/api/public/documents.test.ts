import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { currentWindow, documentLinkPath } from '../../../src/api/documents/document-links.js'
import { readServiceSecrets } from '../../../src/database/service-secrets.js'
import { newAccount, type TestAccount } from '../../support/account.js'
import { withinOneMinute } from '../../support/one-minute.js'
import { startService } from '../../support/service.js'

const service = await startService()
const published = await startService({ publicUrl: 'https://api.example.com/waybill' })
const { link_secret } = await readServiceSecrets(service.db)

const id = '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11'
const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, 'Zürich')])

afterEach(() => {
  vi.useRealTimers()
})

test('a document link is absolute, uses the Host header, and serves the file without a key', async () => {
  const { link } = await aDocument(await newAccount(service))
  expect(link).toMatch(new RegExp(`^${service.baseUrl}/documents/[\\w-]+$`))
  const response = await fetch(link)
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
})

test('a document link uses the host by which the caller reached the service', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports(document('a.pdf'))
  const { port } = new URL(service.baseUrl)
  const body = await new Promise<string>((resolve, reject) => {
    const headers = { host: 'freight.example:8443', authorization: `Bearer ${key}` }
    request({ host: '127.0.0.1', port, path: '/v1/documents', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    })
      .on('error', reject)
      .end()
  })
  expect(JSON.parse(body)).toMatchObject([
    { link: expect.stringMatching(/^http:\/\/freight\.example:8443\/documents\//) },
  ])
})

test('with a public URL every document link starts with it', async () => {
  const { link } = await aDocument(await newAccount(published))
  expect(link).toMatch(/^https:\/\/api\.example\.com\/waybill\/documents\/[\w-]+$/)
  const path = link.slice('https://api.example.com/waybill'.length)
  expect((await fetch(published.baseUrl + path)).status).toBe(200)
})

const names: [string, string, string][] = [
  [
    'packing list.pdf',
    'application/pdf',
    'attachment; filename="packing list.pdf"; filename*=UTF-8\'\'packing%20list.pdf',
  ],
  [
    'Frachtbrief Zürich 深圳.PDF',
    'application/pdf',
    'attachment; filename="Frachtbrief Z_rich __.PDF"; filename*=UTF-8\'\'Frachtbrief%20Z%C3%BCrich%20%E6%B7%B1%E5%9C%B3.PDF',
  ],
  [
    'a"b\\c%41\r\nSet-Cookie: x=(1)\'*.csv',
    'text/csv; charset=utf-8',
    "attachment; filename=\"a_b_c_41__Set-Cookie: x=(1)'*.csv\"; filename*=UTF-8''a%22b%5Cc%2541%0D%0ASet-Cookie%3A%20x%3D%281%29%27%2A.csv",
  ],
  ['page.html', 'application/octet-stream', 'attachment; filename="page.html"; filename*=UTF-8\'\'page.html'],
  [
    'no extension',
    'application/octet-stream',
    'attachment; filename="no extension"; filename*=UTF-8\'\'no%20extension',
  ],
]

test.each(names)('%s is sent with its type, length and name', async (name, type, disposition) => {
  const { link } = await aDocument(await newAccount(service), name)
  const response = await fetch(link, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('content-length')).toBe(String(content.length))
  expect(response.headers.get('content-disposition')).toBe(disposition)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
})

test('HEAD of a document link returns the headers of GET', async () => {
  const { link } = await aDocument(await newAccount(service))
  const response = await fetch(link, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe(String(content.length))
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/)
  expect((await response.arrayBuffer()).byteLength).toBe(0)
})

test('a download that the client already has is a 304', async () => {
  const { link } = await aDocument(await newAccount(service))
  const etag = (await fetch(link)).headers.get('etag') as string
  const again = await fetch(link, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(again.headers.get('etag')).toBe(etag)
  expect((await again.arrayBuffer()).byteLength).toBe(0)
  expect((await fetch(link, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
})

test('a document link that was altered in any position is refused', async () => {
  const { link } = await aDocument(await newAccount(service))
  const { origin, token } = partsOf(link)
  const bytes = Buffer.from(token, 'base64url')
  for (const position of bytes.keys()) {
    const altered = Buffer.from(bytes)
    altered[position] = (altered[position] as number) ^ 1
    await expectInvalid(`${origin}/documents/${altered.toString('base64url')}`)
  }
})

test('a document link that was truncated, extended or re-encoded is refused', async () => {
  const { link } = await aDocument(await newAccount(service))
  const { origin, token } = partsOf(link)
  const standard = Buffer.from(token, 'base64url').toString('base64')
  // The last character has bits that decoding ignores.
  const variants = [token.slice(0, -1), token.slice(0, 20), `${token}A`, `${token}==`, token.toLowerCase(), 'x', '0']
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = alphabet
    .split('')
    .map((last) => token.slice(0, -1) + last)
    .filter((variant) => variant !== token)
  if (standard.replace(/=+$/, '') !== token) variants.push(encodeURIComponent(standard))
  for (const variant of [...variants, ...others]) await expectInvalid(`${origin}/documents/${variant}`)
})

test('one address may use a document link 60 times a minute, and the audit log has it once an hour', async () => {
  await withinOneMinute(async () => {
    const account = await newAccount(service)
    const { link } = await aDocument(account)
    const download = async (address: string) => {
      const response = await fetch(link, { headers: { 'x-forwarded-for': address } })
      return { status: response.status, text: await response.text() }
    }
    const prefix = `2001:db8:${randomBytes(2).readUInt16BE().toString(16)}`
    // One subscriber has a whole /64 of IPv6.
    const statuses = []
    for (let index = 1; index <= 60; index += 1) statuses.push((await download(`${prefix}::${index}`)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await download(`${prefix}::100`)).toBeRefused('rate_limited')
    expect((await download('198.51.100.1')).status).toBe(200)
    expect((await download('198.51.100.1')).status).toBe(200)
    const entries = await service.db`
      select address, subject from audit_log where account_id = ${account.id} and actor = 'link' order by at`
    expect(entries.map(({ address, subject: downloaded }) => [address, downloaded])).toEqual([
      [`${prefix}::1`, id],
      ['198.51.100.1', id],
    ])
  })
})

test('a document link signed with another secret is refused', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(document('a.pdf'))
  const window = currentWindow(Date.now() / 1000)
  expect((await fetch(service.baseUrl + documentLinkPath(link_secret, linked(account), window))).status).toBe(200)
  await expectInvalid(service.baseUrl + documentLinkPath('another secret', linked(account), window))
})

test('a document link shows neither account nor document nor expiry, and differs in every part', async () => {
  const account = await newAccount(service)
  const window = currentWindow(Date.now() / 1000)
  const tokenOf = (linkedId: string, ofWindow = window) =>
    partsOf(service.baseUrl + documentLinkPath(link_secret, { account: account.id, id: linkedId }, ofWindow)).token
  const bytes = Buffer.from(tokenOf(id), 'base64url')
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(account.id, 0)
  numbers.writeUInt32BE((window + 2) * 15 * 60, 4)
  for (const shown of [numbers.subarray(0, 4), numbers.subarray(4), Buffer.from(id.replaceAll('-', ''), 'hex')])
    expect(bytes.includes(shown)).toBe(false)
  // The same bytes at the same place would reveal that two links are of one account.
  for (const other of [tokenOf(randomUUID()), tokenOf(id, window + 1)]) {
    const otherBytes = Buffer.from(other, 'base64url')
    const same = [...bytes.keys()].filter((position) => bytes[position] === otherBytes[position])
    expect(same.length).toBeLessThan(8)
  }
})

test('a link that an earlier release has signed works until it expires, and not after an alteration', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(document('a.pdf'))
  const signed = (expiry: number) => {
    const bytes = Buffer.alloc(24)
    bytes.writeUInt32BE(account.id, 0)
    bytes.writeUInt32BE(expiry, 4)
    bytes.write(id.replaceAll('-', ''), 8, 'hex')
    return Buffer.concat([bytes, createHmac('sha256', link_secret).update(bytes).digest().subarray(0, 16)])
  }
  const addressOf = (bytes: Buffer) => `${service.baseUrl}/documents/${bytes.toString('base64url')}`
  const now = Math.floor(Date.now() / 1000)
  expect((await fetch(addressOf(signed(now + 900)))).status).toBe(200)
  await expectInvalid(addressOf(signed(now - 1)))
  const altered = signed(now + 900)
  altered[0] = (altered[0] as number) ^ 1
  await expectInvalid(addressOf(altered))
})

test('a link to an unknown document is refused like any invalid link', async () => {
  const one = await newAccount(service)
  const other = await newAccount(service)
  await one.forwarder.imports(document('a.pdf'))
  const window = currentWindow(Date.now() / 1000)
  await expectInvalid(service.baseUrl + documentLinkPath(link_secret, linked(other), window))
})

test('a document link is valid for its time window and the next one', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(document('a.pdf'))
  const now = currentWindow(Date.now() / 1000)
  const address = (window: number) => service.baseUrl + documentLinkPath(link_secret, linked(account), window)
  expect((await fetch(address(now))).status).toBe(200)
  expect((await fetch(address(now - 1))).status).toBe(200)
  await expectInvalid(address(now - 2))
  await expectInvalid(address(now - 1000))
})

test('within a time window the list keeps its links and its ETag; in the next both are new', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(document('a.pdf'))
  const start = (currentWindow(Date.now() / 1000) + 10) * 15 * 60 * 1000

  const first = await at(start, () => account.call('listDocuments'))
  const ifNoneMatch = first.headers.get('etag') as string
  const last = await at(start + 15 * 60 * 1000 - 1, () => account.call('listDocuments'))
  expect(last.text).toBe(first.text)
  expect(last.headers.get('etag')).toBe(ifNoneMatch)
  const unchanged = await at(start + 15 * 60 * 1000 - 1, () => account.call('listDocuments', { ifNoneMatch }))
  expect(unchanged.status).toBe(304)

  const next = await at(start + 15 * 60 * 1000, () => account.call('listDocuments', { ifNoneMatch }))
  expect(next.status).toBe(200)
  expect(next.headers.get('etag')).not.toBe(ifNoneMatch)
  expect(next.body[0]?.link).not.toBe(first.body[0]?.link)
})

test('a 304 never leaves a client with an almost expired link', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(document('a.pdf'))
  const start = (currentWindow(Date.now() / 1000) + 10) * 15 * 60 * 1000
  const { link } = (await at(start, () => account.call('listDocuments'))).body[0] as { link: string }
  // The last moment of a 304, and 15 minutes more.
  const end = start + 30 * 60 * 1000
  expect((await at(end - 1, () => fetch(link))).status).toBe(200)
  await at(end, () => expectInvalid(link))
})

async function at<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: time })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

async function expectInvalid(link: string): Promise<void> {
  const response = await fetch(link)
  expect(response.status).toBe(403)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(response.headers.get('content-disposition')).toBeNull()
  expect(response.headers.get('etag')).toBeNull()
  const problem = (await response.json()) as Record<string, unknown>
  expect(problem.code).toBe('invalid_link')
  expect(Object.keys(problem).toSorted()).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type'])
}

function document(name: string) {
  return { kind: 'document', data: { id, name, content_base64: content.toString('base64') } } as const
}

async function aDocument({ forwarder, call }: TestAccount, name = 'a.pdf') {
  await forwarder.imports(document(name))
  const [found] = (await call('listDocuments')).body
  if (!found) throw new Error('there is no document')
  return found
}

function linked(account: TestAccount) {
  return { account: account.id, id }
}

function partsOf(link: string): { origin: string; token: string } {
  return { origin: new URL(link).origin, token: link.slice(link.lastIndexOf('/') + 1) }
}
