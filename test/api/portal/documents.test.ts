import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { PortalQuery } from '../../../src/contract/portal/operations.js'
import type { Document, DocumentRecord } from '../../../src/contract/public/document.js'
import { documentBucket } from '../../../src/documents/document-bucket.js'
import type { DocumentFiles } from '../../../src/documents/document-files.js'
import { documentFolder } from '../../../src/documents/document-folder.js'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { startBucket } from '../../support/bucket.js'
import { newOperator } from '../../support/operator.js'
import { newPerson, type TestPerson } from '../../support/person.js'
import { binaryFiles } from '../../support/sample-files.js'
import { type RunningService, startService } from '../../support/service.js'
import { unzip } from '../../support/unzip.js'

const folder = await mkdtemp(join(tmpdir(), 'waybill-documents-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Hooks for bytes that are read from the folder. */
let passing: ((chunk: Buffer) => void) | undefined
afterEach(() => {
  passing = undefined
})

function watched(files: DocumentFiles): DocumentFiles {
  return {
    ...files,
    async open(hash) {
      const content = await files.open(hash)
      if (!content || !passing) return content
      const through = new Transform({
        transform(chunk: Buffer, _, done) {
          try {
            passing?.(chunk)
            done(null, chunk)
          } catch (error) {
            done(error as Error)
          }
        },
      })
      content.stream.on('error', (error) => through.destroy(error))
      through.on('close', () => content.stream.destroy())
      return { size: content.size, stream: content.stream.pipe(through) }
    },
  }
}

const service = await startService({ files: watched(documentFolder(folder)) })

type Given = Partial<DocumentRecord> & { content?: Buffer | string }

async function startWithDocuments(at: RunningService = service) {
  const account = await newAccount(at)
  const person = await newPerson(at, account, 'viewer')
  await account.forwarder.imports(
    ...['S-1', 'S-2', 'S/3'].map((id) => ({ kind: 'shipment', data: { svc_shipment_id: id } }) as const),
  )
  /** Uploads documents, and returns their identifiers. */
  async function upload(...given: Given[]): Promise<string[]> {
    const records = given.map(({ content = randomBytes(100), id = randomUUID(), name = 'a.pdf', ...rest }) => ({
      id,
      name,
      ...rest,
      content_base64: Buffer.from(content).toString('base64'),
    }))
    await account.forwarder.imports(...records.map((data) => ({ kind: 'document', data }) as const))
    return records.map(({ id }) => id)
  }
  const zip = (ids: string[]) => person.portal('downloadDocuments', { query: { ids: ids.join(',') } })
  return { account, person, upload, zip }
}

type Search = NonNullable<PortalQuery<'findDocuments'>>

async function findAll({ portal }: TestPerson, query: Search): Promise<string[]> {
  const found: string[] = []
  let after: string | undefined
  do {
    const { body, status, text } = await portal('findDocuments', { query: { ...query, ...(after && { after }) } })
    expect(status, text).toBe(200)
    found.push(...body.documents.map(({ id }) => id))
    after = body.next
  } while (after !== undefined)
  return found
}

async function listAll({ call }: TestAccount): Promise<Document[]> {
  return (await call('listDocuments')).body
}

test('documents are found by words, shipment and type, newest first, in pages', async () => {
  const { account, person, upload } = await startWithDocuments()
  const types = ['packing_list', 'cmr', 'exa', null] as const
  await upload(
    ...Array.from({ length: 30 }, (_, index) => ({
      name: `${index % 2 ? 'Frachtbrief' : 'packing list'} ${index} Zürich.pdf`,
      type: types[index % 4] ?? null,
      ...(index % 5 > 0 && { svc_shipment_id: ['S-1', 'S-2', 'S/3'][index % 3] }),
      uploaded_at: `2026-01-${String((index % 12) + 1).padStart(2, '0')}`,
    })),
  )
  const all = await listAll(account)
  expect(all).toHaveLength(30)
  const searches: [Search, (document: Document) => boolean][] = [
    [{}, () => true],
    [{ type: 'cmr' }, ({ type }) => type === 'cmr'],
    [{ svc_shipment_id: 'S/3' }, ({ svc_shipment_id }) => svc_shipment_id === 'S/3'],
    [{ svc_shipment_id: 'S-1', type: 'exa' }, (one) => one.svc_shipment_id === 'S-1' && one.type === 'exa'],
    [{ q: 'fracht' }, ({ name }) => name.startsWith('Fracht')],
    [{ q: 'ZURICH pack' }, ({ name }) => name.startsWith('pack')],
    [{ q: 'packing', type: 'cmr' }, ({ name, type }) => name.startsWith('packing') && type === 'cmr'],
    [{ q: 'fracht', svc_shipment_id: 'S-2' }, (one) => one.name.startsWith('F') && one.svc_shipment_id === 'S-2'],
    [{ svc_shipment_id: 'S-9' }, () => false],
  ]
  for (const [search, matches] of searches) {
    const wanted = all.filter(matches).map(({ id }) => id)
    for (const take of [4, 100]) {
      expect(await findAll(person, { ...search, take }), JSON.stringify(search)).toEqual(wanted)
    }
    const { count } = (await person.portal('findDocuments', { query: search })).body
    expect(count).toEqual({ value: wanted.length, exact: true })
  }
})

test('a found document equals the one of the public interface, with a working link', async () => {
  const { account, person, upload } = await startWithDocuments()
  const content = randomBytes(5000)
  await upload({ name: 'bill.pdf', svc_shipment_id: 'S-1', content })
  const { body } = await person.portal('findDocuments', { query: { svc_shipment_id: 'S-1' } })
  expect(body.documents).toEqual(await listAll(account))
  const response = await fetch(body.documents[0]?.link as string)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
})

test('withdrawn documents, and documents of other accounts, are not found', async () => {
  const { account, person, upload, zip } = await startWithDocuments()
  const others = await startWithDocuments()
  const [kept, gone] = (await upload({ name: 'kept.pdf' }, { name: 'gone.pdf' })) as [string, string]
  const [foreign] = (await others.upload({ name: 'kept.pdf' })) as [string]
  expect(await findAll(person, { q: 'gone' })).toEqual([gone])
  const { ops } = await newOperator(service, 'operations')
  expect((await ops('withdrawDocument', account.slug, { params: { id: gone } })).status).toBe(200)
  expect(await findAll(person, {})).toEqual([kept])
  expect(await findAll(person, { q: 'gone' })).toEqual([])
  for (const missing of [gone, foreign]) {
    const refused = await zip([kept, missing])
    expect(refused).toBeRefused('document_not_found')
    expect(refused.problem.detail).toContain(missing)
  }
})

test('several documents are downloaded as one zip with unchanged bytes', async () => {
  const { upload, zip } = await startWithDocuments()
  const papers = [
    { name: 'bill.pdf', content: randomBytes(300_000) },
    { name: 'empty.txt', content: Buffer.alloc(0) },
    { name: 'rates.csv', content: Buffer.from('a;b\r\n'.repeat(50_000)) },
    { name: 'Frachtbrief Zürich 深圳.PNG', content: binaryFiles.png as Buffer },
  ]
  const ids = await upload(...papers)
  const { headers, bytes } = await zip(ids)
  expect(headers.get('content-type')).toBe('application/zip')
  expect(headers.get('content-disposition')).toContain('attachment; filename="documents.zip"')
  const files = unzip(bytes)
  expect(files.map(({ name }) => name)).toEqual(papers.map(({ name }) => name))
  expect(files.map(({ content }, index) => content.equals(papers[index]?.content as Buffer))).not.toContain(false)
  // Compressed files are stored without further compression.
  expect(files.map(({ isCompressed }) => isCompressed)).toEqual([false, true, true, false])
  expect(bytes.length).toBeLessThan(310_000)
})

test('zip entries keep their names, duplicates are numbered, and no name leaves the folder', async () => {
  const { upload, zip } = await startWithDocuments()
  const names = [
    'a.pdf',
    'A.pdf',
    'a (2).pdf',
    'a.pdf',
    '../../etc/passwd',
    'C:\\run.bat',
    '..',
    'no extension',
    'con.txt',
  ]
  const ids = await upload(...names.map((name) => ({ name, svc_shipment_id: 'S-1' })))
  const { bytes, headers } = await zip([...ids, ids[0] as string])
  expect(headers.get('content-disposition')).toContain('filename="S-1.zip"')
  expect(unzip(bytes).map(({ name }) => name)).toEqual([
    'a.pdf',
    'A (2).pdf',
    'a (2) (2).pdf',
    'a (3).pdf',
    '..-..-etc-passwd',
    'C--run.bat',
    '-',
    'no extension',
    '_con.txt',
  ])
})

test('documents of several shipments are in a folder per shipment', async () => {
  const { upload, zip } = await startWithDocuments()
  const ids = await upload(
    { name: 'a.pdf', svc_shipment_id: 'S-1' },
    { name: 'a.pdf', svc_shipment_id: 'S/3' },
    { name: 'a.pdf', svc_shipment_id: 'S-1' },
    { name: 'S-1' },
  )
  const { bytes } = await zip(ids)
  expect(unzip(bytes).map(({ name }) => name)).toEqual(['S-1/a.pdf', 'S-3/a.pdf', 'S-1/a (2).pdf', 'S-1 (2)'])
})

test('invalid identifiers are named', async () => {
  const { person } = await startWithDocuments()
  for (const ids of ['x', '-'.repeat(36), `${randomUUID()},`, Array(101).fill(randomUUID()).join(',')]) {
    const refused = await person.portal('downloadDocuments', { query: { ids } })
    expect(refused).toBeRefused('invalid_request')
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/ids'])
  }
  for (const after of ['x', Buffer.from('[1,"x",0]').toString('base64url')]) {
    const refused = await person.portal('findDocuments', { query: { after } })
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/after'])
  }
})

test('a read that fails during a zip aborts the connection: no truncated zip looks complete', async () => {
  const { person, upload } = await startWithDocuments()
  const ids = await upload({ name: 'first.pdf' }, { name: 'second.pdf', content: randomBytes(1_000_000) })
  let read = 0
  passing = (chunk) => {
    read += chunk.length
    if (read > 500_000) throw new Error('the disk is gone')
  }
  const address = `${service.baseUrl}/portal/v1/documents/zip?ids=${ids.join(',')}`
  const response = await fetch(address, { headers: person.headers })
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow('terminated')
})

test('documents in a bucket are downloaded as one zip, too', async () => {
  const bucket = await startBucket()
  const waiting = await mkdtemp(join(tmpdir(), 'waybill-documents-'))
  const { account, upload, zip, person } = await startWithDocuments(
    await startService({ files: documentBucket(bucket.address, waiting) }),
  )
  const papers = [
    { name: 'bill.pdf', content: randomBytes(300_000) },
    { name: 'rates.csv', content: Buffer.from('a;b\r\n'.repeat(50_000)) },
  ]
  const ids = await upload(...papers)
  const files = unzip((await zip(ids)).bytes)
  expect(files.map(({ content }, index) => content.equals(papers[index]?.content as Buffer))).toEqual([true, true])
  // Removed before its turn: the partial zip does not look complete.
  bucket.traffic.interfere = ({ method }, response) => {
    if (method === 'HEAD') return false
    response.writeHead(404).end()
    return true
  }
  const address = `${account.baseUrl}/portal/v1/documents/zip?ids=${ids.join(',')}`
  const broken = fetch(address, { headers: person.headers }).then((response) => response.arrayBuffer())
  await expect(broken).rejects.toThrow('terminated')
  await rm(waiting, { recursive: true, force: true })
})

test('a missing file is detected before anything is sent', async () => {
  const own = await mkdtemp(join(tmpdir(), 'waybill-documents-'))
  const { person, upload } = await startWithDocuments(await startService({ files: documentFolder(own) }))
  const ids = await upload({ name: 'a.pdf' }, { name: 'b.pdf' })
  const [first] = await readdir(own)
  await rm(join(own, first as string), { recursive: true })
  const response = await person.portal('downloadDocuments', { query: { ids: ids.join(',') } })
  expect(response).toBeRefused('internal_error')
  await rm(own, { recursive: true })
})

test('a zip is produced only as fast as it is downloaded', async () => {
  const { person, upload } = await startWithDocuments()
  const length = 8 * 1024 * 1024
  const ids = await upload(
    ...['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.pdf`, content: randomBytes(length) })),
  )
  let read = 0
  passing = (chunk) => {
    read += chunk.length
  }
  const address = `${service.baseUrl}/portal/v1/documents/zip?ids=${ids.join(',')}`
  const leaving = new AbortController()
  const response = await fetch(address, { headers: person.headers, signal: leaving.signal })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  // No further reads: only buffers are filled.
  let before = -1
  while (before !== read) {
    before = read
    await sleep(200)
  }
  expect(read).toBeLessThan(2 * length)
  leaving.abort()
  await expect(reader.closed).rejects.toThrow('aborted')
})

const shownInline: [string, string, string][] = [
  [
    'pdf',
    'application/pdf',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; object-src 'self'; frame-src 'self'",
  ],
  ...(['png', 'jpg', 'gif', 'webp'] as const).map((kind): [string, string, string] => [
    kind,
    `image/${kind === 'jpg' ? 'jpeg' : kind}`,
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; img-src 'self' data:; sandbox",
  ]),
]

test.each(shownInline)('a %s is shown inline by its content, whatever its name', async (kind, type, policy) => {
  const { account, upload } = await startWithDocuments()
  const content = binaryFiles[kind] as Buffer
  await upload({ name: 'paper "1".html', content })
  const [{ link }] = (await listAll(account)) as [Document]
  const response = await fetch(`${link}?inline=1`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('content-length')).toBe(String(content.length))
  expect(response.headers.get('content-disposition')).toBe(
    'inline; filename="paper _1_.html"; filename*=UTF-8\'\'paper%20%221%22.html',
  )
  expect(response.headers.get('content-security-policy')).toBe(policy)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
  const etag = response.headers.get('etag') as string
  expect((await fetch(`${link}?inline=1`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(link)).headers.get('content-disposition')).toMatch(/^attachment;/)
})

const neverInline: [string, string | Buffer][] = [
  ['page.pdf', '<!doctype html><script>alert(1)</script>'],
  ['picture.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['late.pdf', '\n<script>alert(1)</script>%PDF-1.7'],
  ['empty.pdf', ''],
  ['short.png', '\x89PN'],
  ['scan.tif', binaryFiles.tif as Buffer],
  ['letter.docx', binaryFiles.docx as Buffer],
]

test.each(neverInline)('%s is always sent as an attachment', async (name, given) => {
  const { account, upload } = await startWithDocuments()
  const content = Buffer.from(given as string)
  await upload({ name, content })
  const [{ link }] = (await listAll(account)) as [Document]
  for (const query of ['?inline=1', '?inline=0', '?inline=1&inline=1', '']) {
    const response = await fetch(link + query)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
  }
})

test('a long inline document is sent unchanged', async () => {
  const { account, upload } = await startWithDocuments()
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3_000_000)])
  await upload({ content })
  const [{ link }] = (await listAll(account)) as [Document]
  const bytes = Buffer.from(await (await fetch(`${link}?inline=1`)).arrayBuffer())
  expect(bytes.equals(content)).toBe(true)
  const head = await fetch(`${link}?inline=1`, { method: 'HEAD' })
  expect(head.headers.get('content-length')).toBe(String(content.length))
})

test('documents are found by the container, order and vessel of their shipment', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account, 'viewer')
  const id = '7d1f0a3c-7f0e-4a64-8a53-0b6c1d2e3f51'
  await account.forwarder.imports(
    {
      kind: 'shipment',
      data: {
        svc_shipment_id: 'S-1',
        name: 'Lamps',
        status: 'booked',
        cargo: { containers: [{ container_number: 'TGHU7599330' }] },
        booking_information: { ocean_booking: { vessel: 'Ever Golden' } },
      },
    },
    { kind: 'shipment', data: { svc_shipment_id: 'S-2', name: 'Chairs', status: 'booked' } },
    { kind: 'purchase_order', data: { reference: 'PO-4711', product_lines: [line({ reference: '1' })] } },
    { kind: 'assignment', data: { reference: 'PO-4711', line: '1', svc_shipment_id: 'S-1', assigned_quantity: 1 } },
    ...['S-1', 'S-2'].map((svc_shipment_id, index) => ({
      kind: 'document' as const,
      data: { id: id.replace(/1$/, String(index)), name: `scan-${index}.txt`, svc_shipment_id, content_base64: 'YQ==' },
    })),
  )
  for (const q of ['TGHU7599330', 'PO-4711', 'ever golden', 'lamps', 'scan-0']) {
    const { body } = await person.portal('findDocuments', { query: { q } })
    expect(
      body.documents.map(({ svc_shipment_id }) => svc_shipment_id),
      q,
    ).toEqual(['S-1'])
    expect(body.count.value, q).toBe(1)
  }
  expect((await person.portal('findDocuments', { query: { q: 'scan' } })).body.documents).toHaveLength(2)
})
