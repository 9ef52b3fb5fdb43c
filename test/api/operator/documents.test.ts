import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documentBucket } from '../../../src/documents/document-bucket.js'
import { newAccount } from '../../support/account.js'
import { startBucket } from '../../support/bucket.js'
import { newOperator } from '../../support/operator.js'
import { binaryFiles, rejectedFiles, textFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const service = await startService()
const operatorsOnly = await startService({ serves: { customers: false, operators: true }, files: service.files })
const bucket = await startBucket()
const waiting = await mkdtemp(join(tmpdir(), 'waybill-waiting-'))
afterAll(() => rm(waiting, { recursive: true, force: true }))
const inBucket = await startService({ files: documentBucket(bucket.address, waiting) })

const pdf = { name: 'list.pdf', bytes: binaryFiles.pdf as Buffer }
const png = { name: 'scan.png', bytes: binaryFiles.png as Buffer }

async function start() {
  const account = await newAccount(service)
  const operator = await newOperator(service, 'operations')
  const { slug, forwarder } = account
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } })
  const upload = (file = pdf, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    operator.sendFile('uploadDocument', slug, {}, file, fields, headers)
  const replace = (id: string, file: typeof pdf, fields: Record<string, string> = {}) =>
    operator.sendFile('replaceDocument', slug, { id }, file, fields)
  return { ...account, ...operator, key: operator.key, upload, replace }
}

async function download(link: string): Promise<Buffer> {
  const response = await fetch(link)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

async function contentOf(slug: string, key: string, id: string, query = ''): Promise<Response> {
  return fetch(`${service.baseUrl}/ops/v1/accounts/${slug}/documents/${id}/content${query}`, {
    headers: { authorization: `Bearer ${key}` },
  })
}

test('the account sees an uploaded document, and its link serves the same bytes', async () => {
  const { slug, upload, call } = await start()
  const fields = { svc_shipment_id: 'S-1', type: 'packing_list', uploaded_at: '2026-03-04' }
  const { body, headers } = await upload(pdf, fields)
  expect(headers.get('location')).toBe(`/ops/v1/accounts/${slug}/documents/${body.id}`)
  expect(body.record).toEqual({
    id: body.id,
    name: 'list.pdf',
    ...fields,
    size: pdf.bytes.length,
    content_hash: createHash('sha256').update(pdf.bytes).digest('hex'),
  })
  expect((await call('listDocuments')).body).toEqual([body.shown])
  expect(await download(body.shown?.link as string)).toEqual(pdf.bytes)
})

test('a document without a date gets the current date, and one without an identifier gets an identifier', async () => {
  const { upload } = await start()
  const today = () => new Date().toISOString().slice(0, 10)
  const before = today()
  const { body } = await upload()
  expect([before, today()]).toContain(body.record.uploaded_at)
  expect(body.id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  expect(body.shown?.type).toBeNull()
})

test('an identifier can be given in any letter case, and is unique', async () => {
  const { upload, call } = await start()
  const id = randomUUID()
  expect((await upload(pdf, { id: id.toUpperCase() })).body.id).toBe(id)
  expect(await upload(png, { id })).toBeRefused('document_exists')
  expect((await call('listDocuments')).body.map(({ name }) => name)).toEqual(['list.pdf'])
})

test.each([
  ['id', { id: 'one' }],
  ['type', { type: 'letter' }],
  ['uploaded_at', { uploaded_at: '2026-02-30' }],
  ['svc_shipment_id', { svc_shipment_id: 'none' }],
  ['svc_shipment_id', { svc_shipment_id: 'S-1\0' }],
  ['colour', { colour: 'red' }],
])('an invalid field of a form is named: %s', async (name, fields) => {
  const { upload, call } = await start()
  const result = await upload(pdf, fields)
  expect(result).toBeRefused('invalid_request')
  expect(result.problem.errors?.map(({ pointer }) => pointer)).toContain(`/${name}`)
  expect((await call('listDocuments')).body).toEqual([])
})

test('a shipment of another account is refused as unknown', async () => {
  const { upload } = await start()
  const other = await start()
  await other.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-2' } })
  expect(await upload(pdf, { svc_shipment_id: 'S-2' })).toBeRefused('invalid_request')
})

test.each([
  ['a program that is called a paper', 'list.pdf', rejectedFiles.exe, 'a program for Windows'],
  ['a picture that is called a paper', 'list.pdf', binaryFiles.png, 'png'],
  ['a page that is called a text', 'list.txt', Buffer.from('<!doctype html><p>Hello'), 'HTML'],
  ['a name without an extension', 'list', binaryFiles.pdf, 'has no extension'],
  ['an unknown extension', 'list.xyz', binaryFiles.pdf, 'accepted are'],
  ['an empty file', 'list.pdf', Buffer.alloc(0), 'empty'],
])('%s is refused, and the refusal states what was found', async (_, name, bytes, found) => {
  const { upload, call } = await start()
  const result = await upload({ name, bytes: bytes as Buffer })
  expect(result).toBeRefused('file_not_accepted')
  expect(result.problem.detail).toContain(found)
  expect(result.problem.errors?.[0]?.pointer).toBe('/file')
  expect((await call('listDocuments')).body).toEqual([])
})

test('documents are listed newest first, by shipment and type, in pages', async () => {
  const { slug, ops, upload } = await start()
  const names: [string, Record<string, string>][] = [
    ['a.pdf', { uploaded_at: '2026-01-01', svc_shipment_id: 'S-1', type: 'cmr' }],
    ['b.pdf', { uploaded_at: '2026-01-02', svc_shipment_id: 'S-1' }],
    ['c.pdf', { uploaded_at: '2026-01-03', type: 'cmr' }],
  ]
  for (const [name, fields] of names) await upload({ ...pdf, name }, fields)
  const listed = async (query: object) => (await ops('listDocuments', slug, { query })).body.map(nameOf)
  expect(await listed({})).toEqual(['c.pdf', 'b.pdf', 'a.pdf'])
  expect(await listed({ svc_shipment_id: 'S-1' })).toEqual(['b.pdf', 'a.pdf'])
  expect(await listed({ type: 'cmr' })).toEqual(['c.pdf', 'a.pdf'])
  expect(await listed({ type: 'cmr', svc_shipment_id: 'S-1' })).toEqual(['a.pdf'])
  expect(await listed({ skip: 1, take: 1 })).toEqual(['b.pdf'])
  const then = (await ops('listDocuments', slug, { query: { take: 1 } })).body[0]?.recorded_at as string
  const [first] = (await ops('listDocuments', slug, { query: { svc_shipment_id: 'S-1', type: 'cmr' } })).body
  await ops('withdrawDocument', slug, { params: { id: first?.id as string } })
  expect((await listed({ as_of: then })).toSorted()).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
  expect(await listed({ as_of: then, svc_shipment_id: 'S-1', type: 'cmr' })).toEqual(['a.pdf'])
  expect((await listed({ as_of: then, type: 'cmr' })).toSorted()).toEqual(['a.pdf', 'c.pdf'])
  expect(await listed({ as_of: '2020-01-01T00:00:00Z' })).toEqual([])
})

function nameOf({ record }: { record: { name: string } }): string {
  return record.name
}

test('new bytes replace the old ones, which stay readable as of the earlier time', async () => {
  const { slug, key, ops, upload, replace, call } = await start()
  const { body: first } = await upload(pdf, { svc_shipment_id: 'S-1', type: 'cmr', uploaded_at: '2026-01-01' })
  const { body: second } = await replace(first.id, png, { reason: 'better to read' })
  expect(second.record).toEqual({
    ...first.record,
    name: 'scan.png',
    size: png.bytes.length,
    content_hash: createHash('sha256').update(png.bytes).digest('hex'),
  })
  expect(second.reason).toBe('better to read')
  expect((await call('listDocuments')).body).toEqual([second.shown])
  expect(await download(second.shown?.link as string)).toEqual(png.bytes)

  const now = await contentOf(slug, key, first.id)
  expect(now.headers.get('content-type')).toBe('image/png')
  expect(now.headers.get('content-length')).toBe(String(png.bytes.length))
  expect(now.headers.get('content-disposition')).toContain('filename="scan.png"')
  expect(Buffer.from(await now.arrayBuffer())).toEqual(png.bytes)
  const then = await contentOf(slug, key, first.id, `?as_of=${first.recorded_at}`)
  expect(then.headers.get('content-disposition')).toContain('filename="list.pdf"')
  expect(Buffer.from(await then.arrayBuffer())).toEqual(pdf.bytes)
  const was = await ops('getDocument', slug, { params: { id: first.id }, query: { as_of: first.recorded_at } })
  expect(was.body.record).toEqual(first.record)

  const history = await ops('getHistory', slug, { params: { kind: 'document', id: first.id } })
  expect(history.body.map(({ what, reason }) => [what, reason])).toEqual([
    ['updated', 'better to read'],
    ['created', undefined],
  ])
})

test('the same bytes under the same name create no version', async () => {
  const { upload, replace } = await start()
  const { body } = await upload()
  expect((await replace(body.id, pdf, { reason: 'again' })).body).toEqual(body)
})

test('bytes that do not match their name are refused', async () => {
  const { slug, ops, upload, replace } = await start()
  const { body } = await upload()
  expect(await replace(body.id, { name: 'list.pdf', bytes: png.bytes })).toBeRefused('file_not_accepted')
  expect((await ops('getDocument', slug, { params: { id: body.id } })).body).toEqual(body)
  expect(await replace(randomUUID(), png)).toBeRefused('document_not_found')
})

test('name, type and shipment of a document can be changed, and optional ones removed', async () => {
  const { slug, ops, upload, call } = await start()
  const { body } = await upload(pdf, { svc_shipment_id: 'S-1', type: 'cmr' })
  const params = { id: body.id }
  const renamed = await ops('updateDocument', slug, { params, body: { name: 'CMR Zürich.PDF', reason: 'clearer' } })
  expect(renamed.body.record).toEqual({ ...body.record, name: 'CMR Zürich.PDF' })
  expect(renamed.body.reason).toBe('clearer')
  const bare = await ops('updateDocument', slug, { params, body: { type: null, svc_shipment_id: null } })
  expect(bare.body.shown).toMatchObject({ type: null, name: 'CMR Zürich.PDF' })
  expect(bare.body.shown).not.toHaveProperty('svc_shipment_id')
  expect((await call('listDocuments')).body).toEqual([bare.body.shown])
  expect((await call('listDocuments', { query: { svc_shipment_id: 'S-1' } })).body).toEqual([])
  const again = await ops('updateDocument', slug, { params, body: { type: 'ima', svc_shipment_id: 'S-1' } })
  expect(again.body.shown).toMatchObject({ type: 'ima', svc_shipment_id: 'S-1' })
  expect((await ops('updateDocument', slug, { params, body: {} })).body).toEqual(again.body)
})

test('a new name must match the content', async () => {
  const { slug, ops, upload } = await start()
  const { body } = await upload({ name: 'rates.csv', bytes: textFiles.csv as Buffer })
  const params = { id: body.id }
  const rename = (name: string) => ops('updateDocument', slug, { params, body: { name } })
  expect((await rename('rates.txt')).body.record.name).toBe('rates.txt')
  for (const name of ['rates.pdf', 'rates', 'rates.html', '.txt']) {
    const result = await rename(name)
    expect(result).toBeRefused('file_not_accepted')
    expect(result.problem.errors?.[0]?.pointer).toBe('/name')
  }
  for (const name of ['../rates.txt', 'a\\rates.txt', 'rates\n.txt', '', `${'x'.repeat(252)}.txt`]) {
    const result = await rename(name)
    expect(result).toBeRefused('invalid_request')
    expect(result.problem.errors?.[0]?.pointer).toBe('/name')
  }
  expect(await ops('updateDocument', slug, { params, body: { svc_shipment_id: 'none' } })).toBeRefused(
    'invalid_request',
  )
  expect((await ops('getDocument', slug, { params })).body.record.name).toBe('rates.txt')
})

test('a withdrawn document disappears for the account, and its links stop working', async () => {
  const { slug, key, ops, upload, call } = await start()
  const { body } = await upload()
  const params = { id: body.id }
  const before = await call('listDocuments')
  expect((await ops('withdrawDocument', slug, { params, query: { reason: 'wrong customer' } })).body).toEqual({
    removed: body.id,
  })
  const after = await call('listDocuments', { ifNoneMatch: before.headers.get('etag') as string })
  expect(after).toMatchObject({ status: 200, body: [] })
  const old = await fetch(body.shown?.link as string)
  expect({ status: old.status, text: await old.text() }).toBeRefused('invalid_link')
  for (const name of ['getDocument', 'withdrawDocument'] as const) {
    expect(await ops(name, slug, { params })).toBeRefused('document_not_found')
  }
  expect(await ops('updateDocument', slug, { params, body: { name: 'b.pdf' } })).toBeRefused('document_not_found')
  expect((await contentOf(slug, key, body.id)).status).toBe(404)
  const then = await contentOf(slug, key, body.id, `?as_of=${body.recorded_at}`)
  expect(Buffer.from(await then.arrayBuffer())).toEqual(pdf.bytes)

  const { body: history } = await ops('getHistory', slug, { params: { kind: 'document', id: body.id } })
  expect(history[0]).toMatchObject({ what: 'removed', reason: 'wrong customer' })
  expect(history[0]).not.toHaveProperty('record')
})

test('a withdrawn document can be uploaded again as a new version with the same identifier', async () => {
  const { slug, ops, upload, call } = await start()
  const { body: first } = await upload()
  await ops('withdrawDocument', slug, { params: { id: first.id } })
  const { body: second } = await upload(png, { id: first.id })
  expect(second.revision).toBeGreaterThan(first.revision)
  expect((await call('listDocuments')).body).toEqual([second.shown])
  const { body: history } = await ops('getHistory', slug, { params: { kind: 'document', id: first.id } })
  expect(history.map(({ what }) => what)).toEqual(['created', 'removed', 'created'])
})

test('a document that does not exist, or did not exist at that time, is refused with 404', async () => {
  const { slug, ops, upload } = await start()
  const other = await start()
  const { body } = await upload()
  const asOf = { as_of: '2020-01-01T00:00:00Z' }
  for (const name of ['getDocument', 'getDocumentContent'] as const) {
    expect(await ops(name, slug, { params: { id: 'none' } })).toBeRefused('document_not_found')
    expect(await ops(name, other.slug, { params: { id: body.id } })).toBeRefused('document_not_found')
    expect(await ops(name, slug, { params: { id: body.id }, query: asOf })).toBeRefused('version_not_found')
  }
})

test('a retried upload gets the first response; another file, name or field needs another key', async () => {
  const { upload, call } = await start()
  const headers = { 'idempotency-key': randomUUID() }
  const first = await upload(pdf, { type: 'cmr' }, headers)
  const retry = await upload(pdf, { type: 'cmr' }, headers)
  expect(retry.text).toBe(first.text)
  expect(retry.headers.get('idempotent-replayed')).toBe('true')
  expect(retry.headers.get('location')).toBe(first.headers.get('location'))
  const others: [typeof pdf, Record<string, string>][] = [
    [png, { type: 'cmr' }],
    [{ ...pdf, name: 'other.pdf' }, { type: 'cmr' }],
    [{ ...pdf, bytes: Buffer.concat([pdf.bytes, Buffer.from('\n')]) }, { type: 'cmr' }],
    [pdf, { type: 'ima' }],
  ]
  for (const [file, fields] of others) {
    expect(await upload(file, fields, headers)).toBeRefused('idempotency_key_reused')
  }
  expect((await call('listDocuments')).body).toHaveLength(1)
})

test('a refused file can be corrected under the same idempotency key', async () => {
  const { upload } = await start()
  const headers = { 'idempotency-key': randomUUID() }
  expect(await upload({ name: 'list.pdf', bytes: png.bytes }, {}, headers)).toBeRefused('file_not_accepted')
  expect((await upload(pdf, {}, headers)).status).toBe(201)
})

test('an upload to an unreachable bucket stores nothing, and its retry succeeds', async () => {
  const { slug, call } = await newAccount(inBucket)
  const { sendFile } = await newOperator(inBucket)
  const send = () => sendFile('uploadDocument', slug, {}, pdf, {}, { 'idempotency-key': 'once' })
  await bucket.stop()
  expect(await send()).toBeRefused('service_unavailable')
  expect((await call('listDocuments')).body).toEqual([])
  expect(await readdir(waiting)).toEqual([])
  await bucket.startAgain()
  const { body } = await send()
  expect(await bucket.objects()).toEqual([body.record.content_hash])
  expect(await download(body.shown?.link as string)).toEqual(pdf.bytes)
})

test('document links of a suspended account are refused, and work again when it is reactivated', async () => {
  const { slug, upload, key } = await start()
  const admin = await newOperator(service)
  const { body } = await upload()
  const link = body.shown?.link as string
  expect((await fetch(link)).status).toBe(200)
  await admin.ops('updateAccount', slug, { body: { suspended: true } })
  const refused = await fetch(link)
  expect({ status: refused.status, text: await refused.text() }).toBeRefused('account_suspended')
  expect((await contentOf(slug, key, body.id)).status).toBe(200)
  await admin.ops('updateAccount', slug, { body: { suspended: false } })
  expect((await fetch(link)).status).toBe(200)
})

test('document links work on a separate operator address', async () => {
  const account = await newAccount(service)
  const { sendFile } = await newOperator(operatorsOnly)
  const { body } = await sendFile('uploadDocument', account.slug, {}, pdf)
  expect(body.shown?.link).toContain(operatorsOnly.baseUrl)
  expect(await download(body.shown?.link as string)).toEqual(pdf.bytes)
})

test('roles without the right to operate can read documents but not change them', async () => {
  const { slug, upload } = await start()
  const { body } = await upload()
  const params = { id: body.id }
  for (const role of ['finance', 'viewer'] as const) {
    const { ops, sendFile } = await newOperator(service, role)
    expect(await sendFile('uploadDocument', slug, {}, pdf)).toBeRefused('insufficient_role')
    expect(await sendFile('replaceDocument', slug, params, png)).toBeRefused('insufficient_role')
    expect(await ops('updateDocument', slug, { params, body: { type: null } })).toBeRefused('insufficient_role')
    expect(await ops('withdrawDocument', slug, { params })).toBeRefused('insufficient_role')
    expect((await ops('getDocument', slug, { params })).body).toEqual(body)
  }
})
