import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { documentBucket } from '../../../src/documents/document-bucket.js'
import type { DocumentFiles, StoredContent } from '../../../src/documents/document-files.js'
import { documentFolder } from '../../../src/documents/document-folder.js'
import { newAccount } from '../../support/account.js'
import { startBucket } from '../../support/bucket.js'
import { storedPaths } from '../../support/forms.js'
import { newOperator } from '../../support/operator.js'
import { binaryFiles, textFiles } from '../../support/sample-files.js'
import { type RunningService, startService } from '../../support/service.js'

const folder = await mkdtemp(join(tmpdir(), 'waybill-waiting-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Hooks after bytes were received and before they are read. */
type Moments = { added?: (stored: StoredContent) => void; opening?: () => Promise<unknown> }
let moments: Moments = {}

const inFolder = await startService({ files: watched(documentFolder(join(folder, 'documents'))) })
const bucket = await startBucket()
const waiting = join(folder, 'waiting')
const inBucket = await startService({ files: documentBucket(bucket.address, waiting) })

afterEach(() => {
  moments = {}
  bucket.traffic.interfere = undefined
})

function watched(files: DocumentFiles): DocumentFiles {
  return {
    createIntake() {
      const intake = files.createIntake()
      return {
        ...intake,
        async add(content) {
          const stored = await intake.add(content)
          moments.added?.(stored)
          return stored
        },
      }
    },
    async open(hash) {
      await moments.opening?.()
      return files.open(hash)
    },
    sizeOf: files.sizeOf,
    probe: files.probe,
  }
}

type File = { name: string; bytes: Buffer }
const csv: File = { name: 'rates.csv', bytes: textFiles.csv as Buffer }
const png: File = { name: 'scan.png', bytes: binaryFiles.png as Buffer }

/** Unique content, too long for a single short request to a bucket. */
function aPdf(length = 200_000): File {
  return { name: 'list.pdf', bytes: Buffer.concat([binaryFiles.pdf as Buffer, randomBytes(length)]) }
}

async function start(service: RunningService) {
  const account = await newAccount(service)
  const { ops, sendFile } = await newOperator(service, 'operations')
  const { slug } = account
  return {
    ...account,
    ops,
    upload: (file: File, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      sendFile('uploadDocument', slug, {}, file, fields, headers),
    replace: (id: string, file: File) => sendFile('replaceDocument', slug, { id }, file),
    rename: (id: string, name: string) => ops('updateDocument', slug, { params: { id }, body: { name } }),
    /** The status of another write to the account. */
    writeMeanwhile: async () => (await ops('createShipment', slug, { body: { name: 'meanwhile' } })).status,
  }
}

async function download(link: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await fetch(link as string)).arrayBuffer())
}

const putPipe = 'mv "$1" "$1.aside" && mkfifo "$1"'

/** The reader of the pipe, which stands in for the file, waits until the work is done and then reads the same bytes. */
async function readAfter(path: string, bytes: Buffer, work: () => Promise<unknown>): Promise<void> {
  await work()
  const pipe = await open(path, 'w')
  await rename(`${path}.aside`, path)
  await pipe.writeFile(bytes)
  await pipe.close()
}

test.each(['upload', 'replace'] as const)(
  'other writes to the account proceed while a file is inspected: %s',
  async (way) => {
    const { upload, replace, writeMeanwhile } = await start(inFolder)
    const { body } = await upload(aPdf())
    let written: Promise<number> | undefined
    let read: Promise<void> | undefined
    moments.added = ({ path }) => {
      execFileSync('sh', ['-c', putPipe, 'sh', path])
      read = readAfter(path, csv.bytes, () => (written ??= writeMeanwhile()))
    }
    const response = way === 'upload' ? await upload(csv) : await replace(body.id, csv)
    await read
    expect(await written).toBe(201)
    expect(response.body.record.name).toBe('rates.csv')
    expect(await download(response.body.shown?.link)).toEqual(csv.bytes)
  },
)

test('other writes to the account proceed while a document is read to validate a new name', async () => {
  const { upload, rename: renamed, writeMeanwhile } = await start(inFolder)
  const { body } = await upload(csv)
  const written: number[] = []
  moments.opening = async () => written.push(await writeMeanwhile())
  expect((await renamed(body.id, 'rates.txt')).body.record.name).toBe('rates.txt')
  expect(written).toEqual([201])
})

test('a new name is not applied to other bytes that replace the document meanwhile', async () => {
  const { slug, ops, upload, replace, rename: renamed } = await start(inFolder)
  const { body } = await upload(csv)
  moments.opening = async () => {
    moments = {}
    await replace(body.id, png)
  }
  expect(await renamed(body.id, 'rates.txt')).toBeRefused('service_unavailable')
  const { record } = (await ops('getDocument', slug, { params: { id: body.id } })).body
  expect(record).toMatchObject({ name: 'scan.png', size: png.bytes.length })
  expect(await renamed(body.id, 'rates.txt')).toBeRefused('file_not_accepted')
})

test('other writes to the account proceed while a file is sent to the bucket', async () => {
  const { upload, writeMeanwhile } = await start(inBucket)
  const held: Promise<number>[] = []
  // Retried if the connection is reset.
  bucket.traffic.interfere = ({ url, socket }) => {
    if (held.length > 0 || !url?.includes('partNumber=')) return false
    held.push(writeMeanwhile().finally(() => socket.destroy()))
    return true
  }
  const file = aPdf()
  const { body } = await upload(file)
  expect(await Promise.all(held)).toEqual([201])
  expect(await download(body.shown?.link)).toEqual(file.bytes)
})

test('a bucket that hangs at the last step does not block the account, and the upload fails', async () => {
  const { upload, call, writeMeanwhile } = await start(inBucket)
  const file = aPdf()
  bucket.traffic.interfere = ({ method, url }) => method === 'POST' && Boolean(url?.includes('uploadId='))
  expect(await upload(file)).toBeRefused('service_unavailable')
  expect(await writeMeanwhile()).toBe(201)
  expect((await call('listDocuments')).body).toEqual([])
  expect([await bucket.uploads(), await readdir(waiting)]).toEqual([[], []])
  bucket.traffic.interfere = undefined
  expect(await download((await upload(file)).body.shown?.link)).toEqual(file.bytes)
})

test.each([
  ['short', 300],
  ['of one part', 200_000],
  ['of several parts', 9_000_000],
])('a refused upload leaves neither an object nor multipart parts in the bucket: %s', async (_, length) => {
  const { slug, ops, upload, replace } = await start(inBucket)
  const id = randomUUID()
  const headers = { 'idempotency-key': randomUUID() }
  await upload(aPdf(length), { id }, headers)
  const before = await bucket.objects()
  expect(await upload(aPdf(length), { id })).toBeRefused('document_exists')
  expect(await upload(aPdf(length), { svc_shipment_id: 'none' })).toBeRefused('invalid_request')
  expect(await upload({ ...aPdf(length), name: 'list.png' })).toBeRefused('file_not_accepted')
  expect(await upload(aPdf(length), { id }, headers)).toBeRefused('idempotency_key_reused')
  expect(await replace(randomUUID(), aPdf(length))).toBeRefused('document_not_found')
  expect([await bucket.objects(), await bucket.uploads(), await readdir(waiting)]).toEqual([before, [], []])
  expect((await ops('listDocuments', slug)).body).toHaveLength(1)
})

test.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('bytes of a refused upload are kept if a concurrent upload stores the same bytes, in %s', async (_, service) => {
  const { upload, call } = await start(service)
  const id = randomUUID()
  await upload(png, { id })
  for (let round = 0; round < 5; round += 1) {
    const file = aPdf()
    const responses = [upload(file, { id }), upload(file), upload(file, { svc_shipment_id: 'none' })]
    const [exists, kept, invalid] = await Promise.all(responses)
    expect([exists?.status, kept?.status, invalid?.status]).toEqual([409, 201, 400])
    expect(await download(kept?.body.shown?.link)).toEqual(file.bytes)
  }
  expect((await call('listDocuments')).body).toHaveLength(6)
  expect((await storedPaths(service)).filter((path) => path.includes('incoming-'))).toEqual([])
})

test('a response is replayed while the bucket is unreachable', async () => {
  const { upload } = await start(inBucket)
  const headers = { 'idempotency-key': randomUUID() }
  const file = aPdf()
  const first = await upload(file, {}, headers)
  await bucket.stop()
  const retry = await upload(file, {}, headers)
  await bucket.startAgain()
  expect([retry.status, retry.text, retry.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true'])
})
