import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import { Refusal } from '../../src/contract/refusals.js'
import { documentBucket } from '../../src/documents/document-bucket.js'
import { newAccount, type TestAccount } from '../support/account.js'
import { startBucket } from '../support/bucket.js'
import { runProgram, startServing, temporaryFolder } from '../support/program.js'
import { startService } from '../support/service.js'

const bucket = await startBucket()
const folder = await temporaryFolder()
const waiting = join(folder, 'waiting')
const service = await startService({ files: documentBucket(bucket.address, waiting) })

afterEach(() => {
  bucket.traffic.interfere = undefined
  bucket.traffic.seen.length = 0
})

test('imported documents are stored under their hash, and their links return the same bytes', async () => {
  const account = await newAccount(service)
  const contents = [randomBytes(5000), Buffer.alloc(0), Buffer.from(account.slug)]
  await account.forwarder.imports(...contents.map((content) => aDocument(content)))
  expect(await bucket.objects()).toEqual(expect.arrayContaining(contents.map(hashOf)))
  const found = await downloads(account)
  expect(found.map(hashOf).toSorted()).toEqual(contents.map(hashOf).toSorted())
})

test('a download has its length, type and name', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(aDocument(randomBytes(321), 'bill.pdf'))
  const response = await fetch((await links(account))[0] as string)
  expect(response.headers.get('content-length')).toBe('321')
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('content-disposition')).toContain('bill.pdf')
})

test('a file of 30 MB is uploaded in parts, and downloads unchanged', async () => {
  const account = await newAccount(service)
  const content = randomBytes(30_000_000)
  await writeFile(join(service.dataFolder, 'long.zip'), content)
  await account.forwarder.imports({
    kind: 'document',
    data: { id: randomUUID(), name: 'long.zip', file: 'long.zip' },
  })
  const parts = bucket.traffic.seen.filter((request) => request.includes('partNumber='))
  expect(parts.map((request) => /partNumber=(\d+)/.exec(request)?.[1])).toEqual(['1', '2', '3', '4'])
  const [found] = await downloads(account)
  expect(found?.length).toBe(content.length)
  expect(hashOf(found as Buffer)).toBe(hashOf(content))
})

test('the same content is uploaded and stored once', async () => {
  const content = randomBytes(2000)
  const one = await newAccount(service)
  await one.forwarder.imports(aDocument(content), aDocument(content))
  const other = await newAccount(service)
  bucket.traffic.seen.length = 0
  await other.forwarder.imports(aDocument(content))
  expect(bucket.traffic.seen).toEqual([`HEAD /papers/${hashOf(content)}`])
  expect((await bucket.objects()).filter((name) => name === hashOf(content))).toHaveLength(1)
  expect((await downloads(other))[0]).toEqual(content)
})

test('an object of the wrong size is uploaded again', async () => {
  const account = await newAccount(service)
  const content = randomBytes(2000)
  await account.forwarder.imports(aDocument(content))
  await truncate(bucket.pathOf(hashOf(content)), 100)
  await account.forwarder.imports(aDocument(content))
  expect((await downloads(account))[0]).toEqual(content)
})

test('importing a document again restores a lost object', async () => {
  const account = await newAccount(service)
  const document = aDocument(randomBytes(2000))
  await account.forwarder.imports(document)
  await rm(bucket.pathOf(hashOf(contentOf(document))))
  const [link] = await links(account)
  expect((await fetch(link as string)).status).toBe(500)
  await account.forwarder.imports(document)
  expect((await downloads(account))[0]).toEqual(contentOf(document))
})

test('a prefix may contain any characters', async () => {
  const files = documentBucket({ ...bucket.address, prefix: "Zürich 2026/a+b=c&d'(e)/" }, waiting)
  const content = randomBytes(300)
  await keep(files, content)
  expect(await bucket.objects()).toContain(`Zürich 2026/a+b=c&d'(e)/${hashOf(content)}`)
  const opened = await files.open(hashOf(content))
  expect(opened?.size).toBe(300)
  expect(await bytesOf(opened?.stream as AsyncIterable<Buffer>)).toEqual(content)
})

test('an unknown hash is not found', async () => {
  expect(await service.files.open(hashOf(randomBytes(10)))).toBeUndefined()
})

test('an import with an invalid line leaves no object and no staged file', async () => {
  const { forwarder } = await newAccount(service)
  const before = await bucket.objects()
  const { outcome } = await forwarder.triesToImport(aDocument(randomBytes(100)), {
    kind: 'document',
    data: { id: randomUUID(), name: 'b.pdf', svc_shipment_id: 'none', content_base64: 'aGVsbG8=' },
  })
  expect(outcome.kept).toBe(false)
  expect(await bucket.objects()).toEqual(before)
  expect(await readdir(waiting)).toEqual([])
})

test('while the bucket is unavailable, downloads respond with 503 and imports change nothing', async () => {
  const account = await newAccount(service)
  const content = randomBytes(500)
  await account.forwarder.imports(aDocument(content))
  const [link] = await links(account)
  const { text, headers } = await account.call('listDocuments')

  await bucket.stop()
  const refused = await fetch(link as string)
  expect({ status: refused.status, text: await refused.text() }).toBeRefused('service_unavailable')
  expect(refused.headers.get('retry-after')).toBe('2')
  const shipment = { kind: 'shipment' as const, data: { svc_shipment_id: 'S-1' } }
  const failure = await failureOf(account.forwarder.imports(shipment, aDocument(randomBytes(500))))
  expect(failure).toMatchObject({ code: 'service_unavailable' })
  expect((failure.cause as Error).message).toMatch(/^the bucket papers at http:\S+ cannot be used: ECONN/)
  expect((await account.call('listDocuments')).headers.get('etag')).toBe(headers.get('etag'))
  expect(await account.call('getShipment', { params: { svc_shipment_id: 'S-1' } })).toBeRefused('shipment_not_found')
  expect(await readdir(waiting)).toEqual([])

  await bucket.startAgain()
  expect((await account.call('listDocuments')).text).toBe(text)
  expect((await downloads(account))[0]).toEqual(content)
  await account.forwarder.imports(aDocument(randomBytes(500)))
  expect(await downloads(account)).toHaveLength(2)
})

test('an import without documents does not need the bucket', async () => {
  const { forwarder } = await newAccount(service)
  await bucket.stop()
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1' } })
  await bucket.startAgain()
})

test('an interrupted upload leaves no object, and the import changes nothing', async () => {
  const account = await newAccount(service)
  const content = randomBytes(20_000_000)
  await writeFile(join(service.dataFolder, 'broken.zip'), content)
  bucket.traffic.interfere = ({ url, socket }) => Boolean(url?.includes('partNumber=2') && socket.destroy())
  const document = { kind: 'document' as const, data: { id: randomUUID(), name: 'b.zip', file: 'broken.zip' } }
  expect(await failureOf(account.forwarder.imports(document))).toMatchObject({ code: 'service_unavailable' })
  expect(await bucket.objects()).not.toContain(hashOf(content))
  expect((await account.call('listDocuments')).body).toEqual([])
})

test('an upload whose completion returns 200 with an error has failed', async () => {
  const account = await newAccount(service)
  await writeFile(join(service.dataFolder, 'undone.zip'), randomBytes(9_000_000))
  bucket.traffic.interfere = ({ method, url }, response) => {
    if (method !== 'POST' || !url?.includes('uploadId=')) return false
    response.setHeader('content-type', 'application/xml').end('<Error><Code>InternalError</Code></Error>')
    return true
  }
  const document = { kind: 'document' as const, data: { id: randomUUID(), name: 'u.zip', file: 'undone.zip' } }
  expect(await failureOf(account.forwarder.imports(document))).toMatchObject({ code: 'service_unavailable' })
  expect((await account.call('listDocuments')).body).toEqual([])
})

test('a failed request is retried', async () => {
  const account = await newAccount(service)
  const content = randomBytes(500)
  const failed = new Set<string>()
  bucket.traffic.interfere = ({ method, socket }, response) => {
    if (!method || failed.has(method)) return false
    failed.add(method)
    if (method === 'PUT') socket.destroy()
    else response.writeHead(503).end()
    return true
  }
  await account.forwarder.imports(aDocument(content))
  expect((await downloads(account))[0]).toEqual(content)
  expect([...failed].toSorted()).toEqual(['GET', 'HEAD', 'PUT'])
})

test('a download that the bucket interrupts fails instead of ending early', async () => {
  const content = randomBytes(5_000_000)
  await keep(service.files, content)
  bucket.traffic.interfere = (_, response) => {
    response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100_000), () => {
      response.destroy()
    })
    return true
  }
  const opened = await service.files.open(hashOf(content))
  expect(await failureOf(bytesOf(opened?.stream as AsyncIterable<Buffer>))).toMatchObject({
    code: 'service_unavailable',
  })
})

test('a missing bucket is an error, not a missing document', async () => {
  const files = documentBucket({ ...bucket.address, bucket: 'elsewhere' }, waiting)
  const failure = await failureOf(files.open(hashOf(randomBytes(10))))
  expect(failure).toMatchObject({ code: 'service_unavailable' })
  expect((failure.cause as Error).message).toContain('answers 404 NoSuchBucket')
  expect((await failureOf(keep(files, randomBytes(10)))).cause).toMatchObject({
    message: expect.stringContaining('answers 404 NoSuchBucket'),
  })
})

test('a wrong secret is reported by its error code, without the secret and the access key', async () => {
  const files = documentBucket({ ...bucket.address, secret: 's3cr3t-word' }, waiting)
  const content = randomBytes(100)
  const failures = [await failureOf(keep(files, content)), await failureOf(files.open(hashOf(content)))]
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: 'service_unavailable' })
    const text = `${failure.message} ${(failure.cause as Error).message} ${JSON.stringify(failure)}`
    expect(text).toContain('answers 403 SignatureDoesNotMatch')
    expect(text).not.toMatch(/s3cr3t-word|S3RVER|AWS4/)
  }
  expect(await bucket.objects()).not.toContain(hashOf(content))
})

test('an export reads the contents from the bucket', async () => {
  const { slug, id, forwarder } = await newAccount(service)
  const contents = [randomBytes(700), randomBytes(800)]
  await forwarder.imports(...contents.map((content) => aDocument(content)))
  const to = join(folder, slug)
  await exportTo(to, service.db, service.files, { account: id, slug, name: slug })
  for (const content of contents) {
    const name = (await readdir(join(to, 'files'))).find((each) => each.includes(hashOf(content)))
    expect(await readFile(join(to, 'files', name as string))).toEqual(content)
  }
})

test('the program imports into the bucket, exports from it, and reports a refusal in one line', async () => {
  const dataFolder = join(folder, 'data')
  const content = randomBytes(900)
  const lines = [
    { kind: 'account', account: 'acme', data: { name: 'Acme' } },
    { ...aDocument(content), account: 'acme' },
  ]
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const env = { WAYBILL_DATA_DIR: dataFolder, WAYBILL_DOCUMENTS: bucket.url }
  expect(await runProgram(['import', '-'], { env, input })).toMatchObject({ code: 0, stderr: '' })
  expect(await bucket.objects()).toContain(hashOf(content))
  const to = join(folder, 'exported')
  expect(await runProgram(['export', '--account', 'acme', '--to', to], { env })).toMatchObject({ code: 0 })
  expect(await readdir(join(to, 'files'))).toEqual([expect.stringContaining(hashOf(content))])

  const wrong = { ...env, WAYBILL_DOCUMENTS: bucket.url.replace('S3RVER:S3RVER', 'S3RVER:s3cr3t-word') }
  const other = JSON.stringify({ ...aDocument(randomBytes(900)), account: 'acme' })
  const refused = await runProgram(['import', '-'], { env: wrong, input: other })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /^waybill: Document storage is unavailable\. \(the bucket papers at \S+ answers 403 \w+\)\n$/,
  )

  const serving = await startServing({ env: wrong })
  const created = await runProgram(['key', 'create', '--account', 'acme'], { env: wrong })
  const headers = { authorization: `Bearer ${created.stdout.trim()}` }
  const listed = await (await fetch(`${serving.baseUrl}/v1/documents`, { headers })).json()
  expect(listed).toHaveLength(1)
  const [{ link }] = listed as [{ link: string }]
  expect((await fetch(link)).status).toBe(503)
  serving.kill('SIGTERM')
  const { stdout, stderr } = await serving.ended
  expect(stdout).toContain('answers 403 SignatureDoesNotMatch')
  expect(`${stdout}${stderr}${refused.stdout}${refused.stderr}`).not.toMatch(/s3cr3t-word|S3RVER|AWS4/)
})

type GivenDocument = { kind: 'document'; data: { id: string; name: string; content_base64: string } }

function aDocument(content: Buffer, name = 'a.pdf'): GivenDocument {
  return { kind: 'document', data: { id: randomUUID(), name, content_base64: content.toString('base64') } }
}

function contentOf({ data }: GivenDocument): Buffer {
  return Buffer.from(data.content_base64, 'base64')
}

async function links({ call }: TestAccount): Promise<string[]> {
  return (await call('listDocuments')).body.map(({ link }) => link)
}

async function downloads(account: TestAccount): Promise<Buffer[]> {
  const found: Buffer[] = []
  for (const link of await links(account)) {
    const response = await fetch(link)
    expect(response.status).toBe(200)
    found.push(Buffer.from(await response.arrayBuffer()))
  }
  return found
}

async function keep(files: typeof service.files, content: Buffer): Promise<void> {
  const intake = files.createIntake()
  try {
    const { hash } = await intake.add(content)
    await intake.accept(hash)
    await intake.keepAccepted()
  } finally {
    await intake.discard()
  }
}

async function failureOf(work: Promise<unknown>): Promise<Refusal> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Refusal)
  return failure as Refusal
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
