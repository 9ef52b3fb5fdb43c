import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import type { OperatorQuery } from '../../../src/contract/operator/operations.js'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { sendAndDisconnect, sendPieces, storedPaths } from '../../support/forms.js'
import { checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { runProgram, until } from '../../support/program.js'
import { rejectedFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { key, operator_id } = await newOperator(service)
const to = { path: '/ops/v1/import', key, type: 'application/x-ndjson' }

type Given = { kind: string; data: object }

function linesOf(account: string, given: (Given | string)[]): Buffer {
  const lines = given.map((each) => (typeof each === 'string' ? each : JSON.stringify({ ...each, account })))
  return Buffer.from(lines.map((each) => `${each}\n`).join(''))
}

async function send(body: Buffer, query: OperatorQuery<'import'> = {}, given: Partial<typeof to> = {}) {
  const path = `${to.path}?${new URLSearchParams(query).toString()}`
  return checkedOperatorResponse('import', await sendPieces(service, { ...to, path, ...given }, [body]))
}

const documentId = '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11'
const content = Buffer.from('sku;quantity\nLAMP-1;12\n')

const good: Given[] = [
  { kind: 'assignment', data: { reference: 'PO-1', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 4 } },
  { kind: 'location', data: { id: 1, name: 'Warehouse' } },
  { kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked', created_at: '2026-01-01T10:00:00+08:00' } },
  { kind: 'tracking', data: { svc_shipment_id: 'S-1', status: 'pending' } },
  { kind: 'invoice', data: { reference: 'I-1', svc_shipment_id: 'S-1', sent_date: '2026-01-01T09:00:00Z' } },
  {
    kind: 'document',
    data: { id: documentId, name: 'a.csv', uploaded_at: '2026-01-01', content_base64: content.toString('base64') },
  },
  { kind: 'purchase_order', data: { reference: 'PO-1', product_lines: [line({ reference: '1' })] } },
]

async function everything({ call }: TestAccount) {
  const shipments = await call('listShipments', { query: {} })
  const { body: documents } = await call('listDocuments')
  return {
    shipments: shipments.text,
    locations: (await call('listLocations')).text,
    invoices: (await call('listInvoices')).text,
    tracking: (await call('getTracking', { params: { svc_shipment_id: 'S-1' } })).text,
    orders: (await call('listPurchaseOrders')).text,
    documents: documents.map(({ link: _link, ...document }) => document),
  }
}

test('posted lines have the same result as `waybill import`', async () => {
  const posted = await newAccount(service)
  const commanded = await newAccount(service)
  const { status, body } = await send(linesOf(posted.slug, good))
  expect(status).toBe(200)
  const { faults, ...summary } = body
  expect(faults).toEqual([])
  const ended = await runProgram(['import', '-', '--json'], {
    input: linesOf(commanded.slug, good),
    env: { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: service.dataFolder },
  })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(summary).toEqual(JSON.parse(ended.stdout))
  expect(await everything(posted)).toEqual(await everything(commanded))
  const [document] = (await posted.call('listDocuments')).body
  expect(await (await fetch(document?.link as string)).text()).toBe(content.toString())
})

test('the same lines again change nothing, and the history names their author', async () => {
  const { slug } = await newAccount(service)
  const { ops } = await newOperator(service, 'viewer')
  await send(linesOf(slug, good))
  const { body } = await send(linesOf(slug, good))
  expect(body.kinds).toMatchObject({ shipment: { created: 0, updated: 0, unchanged: 1 }, document: { unchanged: 1 } })
  const { body: history } = await ops('getHistory', slug, { params: { kind: 'location', id: '1' } })
  expect(history.map(({ recorded_by }) => recorded_by)).toEqual([`operator:${operator_id}`])
})

test('lines can create their account', async () => {
  const slug = `made-${randomUUID().slice(0, 8)}`
  const { body } = await send(linesOf(slug, [{ kind: 'account', data: { name: 'Made' } }, ...good]))
  expect(body).toMatchObject({ kept: true, kinds: { account: { created: 1 } } })
})

const bad = ['nonsense', { kind: 'location', data: { id: 'one', colour: 'red' } }]

test('invalid lines reject the whole import, with the line number of each fault', async () => {
  const account = await newAccount(service)
  const before = await storedPaths(service)
  const unseen = { kind: 'document', data: { id: documentId, name: 'b.txt', content_base64: btoa(randomUUID()) } }
  const result = await send(linesOf(account.slug, [good[1] as Given, ...bad, unseen]))
  expect(result).toBeRefused('import_rejected')
  expect(result.problem.detail).toContain('2 of 4 lines')
  expect(result.problem.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/2',
    '/3/data/colour',
    '/3/data/id',
  ])
  expect((await account.call('listLocations')).body).toEqual([])
  expect(await storedPaths(service)).toEqual(before)
})

test('at most a hundred faults are reported', async () => {
  const { slug } = await newAccount(service)
  const result = await send(linesOf(slug, Array<string>(150).fill('nonsense')))
  expect(result.problem.errors).toHaveLength(100)
  expect(result.problem.detail).toContain('150 of 150')
})

test('skip_invalid imports the valid lines and reports the invalid ones', async () => {
  const { slug, call } = await newAccount(service)
  const { status, body } = await send(linesOf(slug, [...bad, good[1] as Given]), { skip_invalid: 'true' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ kept: true, lines: 3, rejected: 2, kinds: { location: { created: 1 } } })
  expect(body.faults.map((fault) => fault.line)).toEqual([1, 2, 2])
  expect((await call('listLocations')).body).toMatchObject([{ id: 1 }])
})

test('check reports every fault and changes nothing, with and without faults', async () => {
  const { slug, call } = await newAccount(service)
  const before = await storedPaths(service)
  const dangling = { kind: 'invoice', data: { reference: 'I-9', svc_shipment_id: 'none' } }
  for (const query of [{ check: 'true' }, { check: 'true', skip_invalid: 'true' }] as const) {
    const found = await send(linesOf(slug, [...good, ...bad, dangling]), query)
    expect(found.body).toMatchObject({ kept: false, lines: 10, rejected: 3 })
    expect(found.body.faults.map((fault) => `${fault.line}${fault.pointer}`).toSorted()).toEqual([
      '10/data/svc_shipment_id',
      '8',
      '9/data/colour',
      '9/data/id',
    ])
  }
  const fine = await send(linesOf(slug, good), { check: 'true' })
  expect(fine.body).toMatchObject({ kept: false, rejected: 0, faults: [], kinds: { shipment: { created: 1 } } })
  expect((await call('listLocations')).body).toEqual([])
  expect((await call('listDocuments')).body).toEqual([])
  expect(await storedPaths(service)).toEqual(before)
})

test.each([
  [
    'a program',
    'a.exe',
    rejectedFiles.exe,
    'the content is a program for Windows, but the name says exe; accepted are pdf,',
  ],
  [
    'a program that is called a PDF',
    'a.pdf',
    rejectedFiles.exe,
    'the content is a program for Windows, but the name says pdf',
  ],
  ['a page with a script', 'a.txt', Buffer.from('<html><script>1</script></html>'), 'but the name says txt'],
  ['an empty file', 'a.pdf', Buffer.of(), 'the file is empty'],
])(
  'a document line with %s is refused, as its upload is, and the file is not stored',
  async (_, name, bytes, detail) => {
    const { slug, call } = await newAccount(service)
    const before = await storedPaths(service)
    const content_base64 = (bytes as Buffer).toString('base64')
    const result = await send(linesOf(slug, [{ kind: 'document', data: { id: documentId, name, content_base64 } }]))
    expect(result).toBeRefused('import_rejected')
    expect(result.problem.errors).toEqual([
      { pointer: '/1/data/content_base64', detail: expect.stringContaining(detail) },
    ])
    expect((await call('listDocuments')).body).toEqual([])
    expect(await storedPaths(service)).toEqual(before)
  },
)

test('content that is not base64 is refused by name, however much padding it has', async () => {
  const { slug } = await newAccount(service)
  const data = { id: documentId, name: 'a.pdf', content_base64: `${'='.repeat(400_000)}x` }
  const result = await send(linesOf(slug, [{ kind: 'document', data }]))
  expect(result.problem.errors).toEqual([{ pointer: '/1/data/content_base64', detail: 'is not base64' }])
})

test('a document line contains its bytes, because a request has no files', async () => {
  const { slug, call } = await newAccount(service)
  for (const file of ['a.pdf', '/etc/passwd', 'documents']) {
    const result = await send(linesOf(slug, [{ kind: 'document', data: { id: documentId, name: 'a.pdf', file } }]))
    expect(result).toBeRefused('import_rejected')
    expect(result.problem.errors).toMatchObject([
      { pointer: '/1/data/file', detail: expect.stringContaining('content_base64') },
    ])
  }
  expect((await call('listDocuments')).body).toEqual([])
})

test('an incomplete body changes nothing, however often it is sent', async () => {
  const account = await newAccount(service)
  const before = await storedPaths(service)
  const body = linesOf(account.slug, [
    ...good,
    { kind: 'document', data: { id: randomUUID(), name: 'b.txt', content_base64: btoa(randomUUID()) } },
  ])
  // More often than there are database connections: none may be left unusable.
  for (let count = 0; count < 8; count += 1) {
    // Also at the end of a line: every received line is valid, but the body is incomplete.
    const length = count % 2 === 0 ? body.length - 30 : body.length
    const politely = count % 4 < 2
    await sendAndDisconnect(service, to, body.subarray(0, length), { length: body.length + 10, politely })
  }
  await until(async () => (await storedPaths(service)).length === before.length)
  expect(await storedPaths(service)).toEqual(before)
  expect((await account.call('listLocations')).body).toEqual([])
  expect(await account.call('listShipments')).toBeRefused('no_shipments_found')
  const responses = await Promise.all(Array.from({ length: 8 }, () => account.call('listDocuments')))
  expect(responses.map(({ body: documents }) => documents)).toEqual(responses.map(() => []))
  expect((await send(body)).body.kept).toBe(true)
})

test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''])(
  'lines sent as "%s" are refused',
  async (type) => {
    const { slug, call } = await newAccount(service)
    const result = await send(linesOf(slug, good), {}, { type })
    expect(result).toBeRefused('unsupported_media_type')
    expect((await call('listLocations')).body).toEqual([])
  },
)

test('compressed lines and a request without a body are refused', async () => {
  const headers = { authorization: `Bearer ${key}` }
  const zipped = await fetch(service.baseUrl + to.path, {
    method: 'POST',
    headers: { ...headers, 'content-type': to.type, 'content-encoding': 'gzip' },
    body: Uint8Array.from(gzipSync('{}\n')),
  })
  expect(await checkedOperatorResponse('import', zipped)).toBeRefused('unsupported_media_type')
  const nothing = await fetch(service.baseUrl + to.path, { method: 'POST', headers })
  const result = await checkedOperatorResponse('import', nothing)
  expect(result).toBeRefused('unsupported_media_type')
  expect(result.problem.detail).toContain('application/x-ndjson')
})

test('an import without lines succeeds', async () => {
  expect((await send(Buffer.alloc(0))).body).toMatchObject({ kept: true, lines: 0, rejected: 0 })
})

test('an unknown parameter, or one that is neither true nor false, is refused', async () => {
  expect(await send(Buffer.alloc(0), { check: 'yes' } as never)).toBeRefused('invalid_request')
  expect(await send(Buffer.alloc(0), { dry_run: 'true' } as never)).toBeRefused('invalid_request')
})

test.each(['operations', 'finance', 'viewer'] as const)('the role %s may not import', async (role) => {
  const { slug, call } = await newAccount(service)
  const other = await newOperator(service, role)
  expect(await send(linesOf(slug, good), {}, { key: other.key })).toBeRefused('insufficient_role')
  expect((await call('listLocations')).body).toEqual([])
})

test("importing without a key or with a customer's key is refused", async () => {
  const { slug, key: customers, call } = await newAccount(service)
  expect(await send(linesOf(slug, good), {}, { key: customers })).toBeRefused('invalid_key')
  const response = await fetch(service.baseUrl + to.path, { method: 'POST', body: linesOf(slug, good).toString() })
  expect(await checkedOperatorResponse('import', response)).toBeRefused('missing_key')
  expect((await call('listLocations')).body).toEqual([])
})

test('an endless line is refused once it exceeds the limit', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const pieces = Array.from({ length: 18 }, () => piece)
  const result = await checkedOperatorResponse('import', await sendPieces(service, to, pieces))
  expect(result).toBeRefused('payload_too_large')
})

test('bytes in a line are stored unchanged', async () => {
  const { slug } = await newAccount(service)
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), everyByte])
  const data = { id: randomUUID(), name: 'a.pdf', content_base64: bytes.toString('base64') }
  await send(linesOf(slug, [{ kind: 'document', data }]))
  const { ops } = await newOperator(service, 'viewer')
  const { body } = await ops('getDocument', slug, { params: { id: data.id } })
  expect(body.record.content_hash).toBe(createHash('sha256').update(bytes).digest('hex'))
})
