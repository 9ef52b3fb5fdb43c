import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini, S3ServiceError, type UploadPart } from 's3mini'
import { Refusal } from '../contract/refusals.js'
import { fetchWithDeadline, fetchWithRetries } from './bucket-requests.js'
import type { DocumentFiles } from './document-files.js'
import { openIntake, type PreparedFile } from './document-intake.js'
import { probeFolder } from './folder-probe.js'

export type BucketAddress = {
  /** Scheme, host and port. */
  origin: string
  bucket: string
  /** The prefix of all object names: empty, or ending with a slash. */
  prefix: string
  region: string
  accessKey: string
  secret: string
}

// Files up to this size are sent in one request, larger ones in parts of it: an upload holds one part in memory.
const partLength = 8 * 1024 * 1024
const mostParts = 10_000
const concurrentUploads = 4
// A file of this size is sent under the lock, without preparation.
const smallFile = 64 * 1024

/** Documents as objects of an S3 bucket; uploads are staged in a local folder. */
export function documentBucket(address: BucketAddress, intakeFolder: string): DocumentFiles {
  const { prefix } = address
  const s3 = clientOf(address, fetchWithRetries)
  const s3WithDeadline = clientOf(address, fetchWithDeadline)

  async function orUnavailable<Result>(request: Promise<Result>): Promise<Result> {
    return request.catch((error: unknown) => {
      throw unavailable(address, error)
    })
  }

  // Without the right to list the bucket, a missing object is a 403. If the key is refused altogether, the upload fails.
  async function findSize(key: string): Promise<number | undefined> {
    const size = s3.getContentLength(key).catch(({ cause }: Error) => {
      if (cause instanceof S3ServiceError && [403, 404].includes(cause.status)) return undefined
      throw cause
    })
    return orUnavailable(size)
  }

  // An object appears once its upload is complete. Objects are never removed, not even if a later upload fails: another
  // import may rely on them already.
  async function keep(path: string, hash: string): Promise<void> {
    const key = `${prefix}${hash}`
    await withFile(path, async (file, size) => {
      if ((await findSize(key)) === size) return
      if (size <= partLength) return putWhole(s3, key, await readPart(file, Buffer.allocUnsafe(size), 0))
      const sent = await sendParts(key, file, size)
      await sent.complete(s3).catch(async (error: unknown) => {
        await sent.abort()
        throw error
      })
    })
  }

  // Sends all parts; one short request makes the object appear.
  async function prepare(path: string, hash: string): Promise<PreparedFile> {
    const key = `${prefix}${hash}`
    return withFile(path, async (file, size) => {
      if ((await findSize(key)) === size) return { keep: async () => {}, discard: async () => {} }
      if (size <= smallFile) {
        const bytes = await readPart(file, Buffer.allocUnsafe(size), 0)
        return { keep: () => putWhole(s3WithDeadline, key, bytes), discard: async () => {} }
      }
      const sent = await sendParts(key, file, size)
      return { keep: () => sent.complete(s3WithDeadline), discard: sent.abort }
    })
  }

  async function putWhole(client: S3mini, key: string, bytes: Buffer): Promise<void> {
    const response = await orUnavailable(client.putObject(key, bytes))
    // An unread body would keep its connection from being reused.
    await response.body?.cancel()
  }

  async function sendParts(key: string, file: FileHandle, size: number) {
    const buffer = Buffer.allocUnsafe(Math.min(size, Math.max(partLength, Math.ceil(size / mostParts))))
    const upload = await orUnavailable(s3.getMultipartUploadId(key))
    const parts: UploadPart[] = []
    // Errors are ignored: parts that remain are not visible as an object.
    const abort = async () => void (await s3.abortMultipartUpload(key, upload).catch(() => {}))
    try {
      for (let start = 0; start < size; start += buffer.length) {
        const part = await readPart(file, buffer.subarray(0, size - start), start)
        parts.push(await orUnavailable(s3.uploadPart(key, upload, part, parts.length + 1)))
      }
    } catch (error) {
      await abort()
      throw error
    }
    async function complete(client: S3mini): Promise<void> {
      const completed = await orUnavailable(client.completeMultipartUpload(key, upload, parts))
      // S3 may respond with 200 and an error in the body.
      if (!completed.etag) throw unavailable(address, new Error('the upload was not completed'))
    }
    return { complete, abort }
  }

  return {
    sizeOf: (hash) => findSize(`${prefix}${hash}`),
    createIntake: () => openIntake(intakeFolder, { keep, prepare, concurrency: concurrentUploads }),
    // Only reads: a versioned bucket would keep every probe object.
    async probe() {
      await probeFolder(intakeFolder)
      const response = await s3WithDeadline.getObjectRaw(`${prefix}${probeName}`).catch((error: unknown) => {
        if (isAbsence(error)) return undefined
        throw unavailable(address, error)
      })
      await response?.body?.cancel()
    },
    async open(hash) {
      const response = await s3.getObjectRaw(`${prefix}${hash}`).catch((error: unknown) => {
        const isMissing = error instanceof S3ServiceError && error.status === 404
        if (isMissing && error.serviceCode !== 'NoSuchBucket') return undefined
        throw unavailable(address, error)
      })
      if (!response) return undefined
      const size = response.headers.get('content-length')
      if (!response.body || size === null) throw unavailable(address, new Error('an object has no length'))
      const stream = new PassThrough()
      const source = Readable.fromWeb(response.body as ReadableStream)
      source.on('error', (error) => stream.destroy(unavailable(address, error)))
      stream.on('close', () => source.destroy())
      return { size: Number(size), stream: source.pipe(stream) }
    },
  }
}

// Not the hash of any document.
const probeName = 'waybill-probe'

// Without the right to list the bucket, a missing object is an AccessDenied.
function isAbsence(error: unknown): boolean {
  if (!(error instanceof S3ServiceError)) return false
  const { status, serviceCode } = error
  return status === 404 ? serviceCode !== 'NoSuchBucket' : status === 403 && serviceCode === 'AccessDenied'
}

export type ExaminedBucket = {
  /** The time of the service, if it sends one, and the milliseconds that the response took. */
  clock: Date | undefined
  took: number
  /** Whether the test object could be removed: the key need not have that right. */
  isRemoved: boolean
}

/** Writes a test object, reads it, and removes it if the key has that right. */
export async function examineBucket(address: BucketAddress): Promise<ExaminedBucket> {
  const s3 = clientOf(address, fetchWithDeadline)
  const key = `${address.prefix}${probeName}`
  const content = randomBytes(64)
  try {
    await (await s3.putObject(key, content)).body?.cancel()
    const startedAt = performance.now()
    const response = await s3.getObjectRaw(key)
    const took = performance.now() - startedAt
    const date = response.headers.get('date')
    const isSame = content.equals(Buffer.from(await response.arrayBuffer()))
    if (!isSame)
      throw Object.assign(new Error('other content'), { code: 'the content read differs from what was written' })
    // Storing documents does not need the right to remove them.
    const isRemoved = await s3.deleteObject(key).catch(() => false)
    return { clock: date === null ? undefined : new Date(date), took, isRemoved }
  } catch (error) {
    throw unavailable(address, error)
  }
}

function clientOf({ origin, bucket, region, accessKey, secret }: BucketAddress, fetchWith: typeof fetch): S3mini {
  return new S3mini({
    endpoint: `${origin}/${bucket}`,
    region,
    accessKeyId: accessKey,
    secretAccessKey: secret,
    fetch: fetchWith,
  })
}

async function withFile<Result>(path: string, work: (file: FileHandle, size: number) => Promise<Result>) {
  const file = await open(path)
  try {
    return await work(file, (await file.stat()).size)
  } finally {
    await file.close()
  }
}

async function readPart(file: FileHandle, buffer: Buffer, start: number): Promise<Buffer> {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled)
    if (bytesRead === 0) throw new Error('the file was truncated while it was read')
    filled += bytesRead
  }
  return buffer
}

// The response of a bucket may contain the access key and the signed request: only its code is logged, and the client gets
// no details.
function unavailable({ origin, bucket }: BucketAddress, error: unknown): Refusal {
  const refusal = new Refusal('service_unavailable', 'Document storage is unavailable.')
  refusal.cause = new Error(`the bucket ${bucket} at ${origin} ${failureOf(error)}`)
  return refusal
}

function failureOf(error: unknown): string {
  if (error instanceof S3ServiceError) {
    const code = /^[A-Za-z]+$/.exec(error.serviceCode ?? '')
    return `answers ${error.status}${code ? ` ${code[0]}` : ''}`
  }
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: unknown }
  return `cannot be used: ${String(code ?? cause?.code ?? name)}`
}
