import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { DocumentData } from '../../src/contract/import-line.js'
import { documentFolder } from '../../src/documents/document-folder.js'
import { importLines } from '../../src/ingest/lines/import.js'
import type { LineFault } from '../../src/ingest/lines/report.js'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

const service = await startService()
const outside = await mkdtemp(join(tmpdir(), 'waybill-import-'))
const folder = join(outside, 'folder')
await mkdir(join(folder, 'papers'), { recursive: true })
await writeFile(join(folder, 'papers', 'list.pdf'), 'packed')
await writeFile(join(outside, 'secret.txt'), 'secret')
await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'))
await symlink(outside, join(folder, 'up'))
await symlink(join(folder, 'papers', 'list.pdf'), join(folder, 'inner-link.pdf'))
afterAll(() => rm(outside, { recursive: true, force: true }))

const id = '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11'

test('a document may carry its bytes, or name a file beside the import file', async () => {
  const account = await newAccount(service)
  const { faults } = await importDocuments(account.slug, [
    { id, name: 'inline.bin', content_base64: Buffer.of(0, 255, 10, 13).toString('base64') },
    { id: other(1), name: 'list.pdf', file: 'papers/list.pdf' },
    { id: other(2), name: 'link.pdf', file: './papers/../inner-link.pdf' },
    { id: other(3), name: 'empty.txt', content_base64: '' },
  ])
  expect(faults).toEqual([])
  const { body } = await account.call('listDocuments')
  const sizes = Object.fromEntries(body.map(({ name, size }) => [name, size]))
  expect(sizes).toEqual({ 'inline.bin': 4, 'list.pdf': 6, 'link.pdf': 6, 'empty.txt': 0 })
  for (const { name, link } of body) {
    const expected = name === 'inline.bin' ? Buffer.of(0, 255, 10, 13) : name === 'empty.txt' ? '' : 'packed'
    expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(Buffer.from(expected))
  }
})

test('the size of a document is that of its bytes, whatever the line says', async () => {
  const account = await newAccount(service)
  await importDocuments(account.slug, [{ id, name: 'a.txt', size: 99, content_base64: 'aGVsbG8=' }])
  expect((await account.call('listDocuments')).body).toMatchObject([{ size: 5 }])
})

const badSources: [string, Partial<DocumentData>, string][] = [
  ['names a file that is not there', { file: 'papers/none.pdf' }, '/data/file'],
  ['names a folder', { file: 'papers' }, '/data/file'],
  ['names the folder itself', { file: '.' }, '/data/file'],
  ['names a file above the folder', { file: '../secret.txt' }, '/data/file'],
  ['names a file above the folder in a roundabout way', { file: 'papers/../../secret.txt' }, '/data/file'],
  ['names a file by its absolute path', { file: join(outside, 'secret.txt') }, '/data/file'],
  ['names a link that leads out of the folder', { file: 'link.txt' }, '/data/file'],
  ['names a file behind a link that leads out of the folder', { file: 'up/secret.txt' }, '/data/file'],
  ['names no file', { file: '' }, '/data/file'],
  ['has bytes that are not base64', { content_base64: 'not base64!' }, '/data/content_base64'],
  ['has base64 that is cut off', { content_base64: 'aGVsbG8=a' }, '/data/content_base64'],
  ['has neither bytes nor file', {}, '/data'],
  ['has both bytes and file', { content_base64: 'aGVsbG8=', file: 'papers/list.pdf' }, '/data'],
]

test.each(badSources)('a document that %s is bad, and nothing of the file is kept', async (_, source, pointer) => {
  const account = await newAccount(service)
  const before = await storedFiles()
  const { kept, faults } = await importDocuments(account.slug, [
    { id: other(1), name: 'good.txt', content_base64: Buffer.from(account.slug).toString('base64') },
    { id, name: 'bad.txt', ...source },
  ])
  expect(kept).toBe(false)
  expect(faults).toMatchObject([{ line: 2, pointer }])
  expect((await account.call('listDocuments')).body).toEqual([])
  expect(await storedFiles()).toEqual(before)
})

test('the bytes of a document that is skipped as bad are not kept', async () => {
  const account = await newAccount(service)
  const lost = Buffer.from(`lost ${account.slug}`)
  const found = Buffer.from(`found ${account.slug}`)
  const { kept, faults } = await importDocuments(
    account.slug,
    [
      { id, name: 'a.txt', svc_shipment_id: 'none', content_base64: lost.toString('base64') },
      { id: other(1), name: 'b.txt', content_base64: found.toString('base64') },
    ],
    { skipInvalid: true },
  )
  expect(kept).toBe(true)
  expect(faults).toMatchObject([{ line: 1, pointer: '/data/svc_shipment_id' }])
  const files = await storedFiles()
  expect(files).toContain(hashOf(found))
  expect(files).not.toContain(hashOf(lost))
})

test('the same content is stored once, named by its hash, however many documents have it', async () => {
  const dataFolder = join(outside, 'own-data')
  const files = documentFolder(join(dataFolder, 'documents'))
  const one = await newAccount(service)
  const two = await newAccount(service)
  const content = Buffer.from('the same words')
  for (const { slug } of [one, two]) {
    const given = [id, other(1)].map((each) => ({
      id: each,
      name: 'a.txt',
      content_base64: content.toString('base64'),
    }))
    expect((await importDocuments(slug, given, { files })).faults).toEqual([])
  }
  expect(await storedFiles(dataFolder)).toEqual([hashOf(content)])
})

test('an identifier is a UUID in any case of its letters, and one document', async () => {
  const { call, slug } = await newAccount(service)
  await importDocuments(slug, [{ id: id.toUpperCase(), name: 'a.txt', content_base64: 'aGVsbG8=' }])
  const { summary } = await importDocuments(slug, [{ id, name: 'a.txt', content_base64: 'aGVsbG8=' }])
  expect(summary.kinds.document).toEqual({ created: 0, updated: 0, unchanged: 1 })
  expect((await call('listDocuments')).body.map((document) => document.id)).toEqual([id])
})

test('new bytes for a document replace the old ones', async () => {
  const { call, slug } = await newAccount(service)
  await importDocuments(slug, [{ id, name: 'a.txt', content_base64: Buffer.from('old').toString('base64') }])
  const { summary } = await importDocuments(slug, [
    { id, name: 'a.txt', content_base64: Buffer.from('newer').toString('base64') },
  ])
  expect(summary.kinds.document.updated).toBe(1)
  const [document] = (await call('listDocuments')).body
  expect(document?.size).toBe(5)
  expect(await (await fetch(document?.link as string)).text()).toBe('newer')
})

type Options = { skipInvalid?: boolean; files?: typeof service.files }

async function importDocuments(account: string, documents: DocumentData[], options: Options = {}) {
  const { skipInvalid = false, files = service.files } = options
  const faults: LineFault[] = []
  const lines = documents.map((data) => `${JSON.stringify({ kind: 'document', account, data })}\n`)
  const outcome = await importLines({ db: service.db, files }, streamOf(lines.join('')), {
    folder,
    skipInvalid,
    author: 'test',
    onFault: (fault) => faults.push(fault),
  })
  return { ...outcome, faults }
}

async function* streamOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** The names of all files in the documents folder, whatever they are. */
async function storedFiles(dataFolder = service.dataFolder): Promise<string[]> {
  const entries = await readdir(join(dataFolder, 'documents'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function other(number: number): string {
  return `${id.slice(0, -1)}${number + 1}`
}

test('bytes that were lost are put back by importing the document again', async () => {
  const { call, forwarder } = await newAccount(service)
  const document = {
    kind: 'document' as const,
    data: { id: randomUUID(), name: 'a.txt', content_base64: Buffer.from(randomUUID()).toString('base64') },
  }
  await forwarder.imports(document)
  const [listed] = (await call('listDocuments')).body
  const bytes = Buffer.from(document.data.content_base64, 'base64')
  const hash = createHash('sha256').update(bytes).digest('hex')
  await rm(join(service.dataFolder, 'documents', hash.slice(0, 2), hash))
  expect((await fetch(listed?.link ?? '')).status).toBe(500)
  const { summary } = await forwarder.imports(document)
  expect(summary.kinds.document).toEqual({ created: 0, updated: 0, unchanged: 1 })
  expect(Buffer.from(await (await fetch(listed?.link ?? '')).arrayBuffer())).toEqual(bytes)
})
