import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini, S3ServiceError, type UploadPart } from 's3mini'
import { Refusal } from '../contract/refusals.js'
import { fetchHastily, fetchPatiently } from './bucket-requests.js'
import type { DocumentFiles } from './document-files.js'
import { openIntake, type PreparedFile } from './document-intake.js'
import { probeFolder } from './folder-probe.js'

export type BucketAddress = {
  /** Scheme, host and port. */
  origin: string
  bucket: string
  /** What the names of all objects begin with: empty, or with a slash at its end. */
  prefix: string
  region: string
  accessKey: string
  secret: string
}

// Files up to this length are sent whole, longer ones in parts of it: what one upload holds in memory.
const partLength = 8 * 1024 * 1024
const mostParts = 10_000
const uploadsAtOnce = 4
// What fits one short request needs no preparing.
const shortLength = 64 * 1024

/** Documents in a bucket of an S3 service, an object each; what is taken in waits in a folder of this machine. */
export function documentBucket(address: BucketAddress, intakeFolder: string): DocumentFiles {
  const { prefix } = address
  const s3 = clientOf(address, fetchPatiently)
  const hastyS3 = clientOf(address, fetchHastily)

  async function ask<Answer>(question: Promise<Answer>): Promise<Answer> {
    return question.catch((error: unknown) => {
      throw unavailable(address, error)
    })
  }

  // A bucket that we may not list answers 403 for what it does not have; if it is us that it refuses, the upload tells.
  async function findSize(key: string): Promise<number | undefined> {
    const size = s3.getContentLength(key).catch(({ cause }: Error) => {
      if (cause instanceof S3ServiceError && [403, 404].includes(cause.status)) return undefined
      throw cause
    })
    return ask(size)
  }

  // An object appears in the bucket when all of it has arrived. None is ever removed, not even when a later one fails:
  // another import may have found it there already, and rely on it.
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

  // All parts are sent: the object appears by one short request, or never.
  async function prepare(path: string, hash: string): Promise<PreparedFile> {
    const key = `${prefix}${hash}`
    return withFile(path, async (file, size) => {
      if ((await findSize(key)) === size) return { keep: async () => {}, discard: async () => {} }
      if (size <= shortLength) {
        const bytes = await readPart(file, Buffer.allocUnsafe(size), 0)
        return { keep: () => putWhole(hastyS3, key, bytes), discard: async () => {} }
      }
      const sent = await sendParts(key, file, size)
      return { keep: () => sent.complete(hastyS3), discard: sent.abort }
    })
  }

  async function putWhole(client: S3mini, key: string, bytes: Buffer): Promise<void> {
    const answer = await ask(client.putObject(key, bytes))
    // A body that nobody reads keeps its connection from being used again.
    await answer.body?.cancel()
  }

  async function sendParts(key: string, file: FileHandle, size: number) {
    const room = Buffer.allocUnsafe(Math.min(size, Math.max(partLength, Math.ceil(size / mostParts))))
    const upload = await ask(s3.getMultipartUploadId(key))
    const parts: UploadPart[] = []
    // What matters is told by others: parts that stay behind are no object.
    const abort = async () => void (await s3.abortMultipartUpload(key, upload).catch(() => {}))
    try {
      for (let start = 0; start < size; start += room.length) {
        const part = await readPart(file, room.subarray(0, size - start), start)
        parts.push(await ask(s3.uploadPart(key, upload, part, parts.length + 1)))
      }
    } catch (error) {
      await abort()
      throw error
    }
    async function complete(client: S3mini): Promise<void> {
      const completed = await ask(client.completeMultipartUpload(key, upload, parts))
      // S3 may answer 200 and tell in the body that it failed after all.
      if (!completed.etag) throw unavailable(address, new Error('the upload was not completed'))
    }
    return { complete, abort }
  }

  return {
    sizeOf: (hash) => findSize(`${prefix}${hash}`),
    takeIn: () => openIntake(intakeFolder, { keep, prepare, atOnce: uploadsAtOnce }),
    // Nothing is written: a bucket that keeps versions would keep all of them.
    async probe() {
      await probeFolder(intakeFolder)
      const answer = await hastyS3.getObjectRaw(`${prefix}${nothing}`).catch((error: unknown) => {
        if (isAbsence(error)) return undefined
        throw unavailable(address, error)
      })
      await answer?.body?.cancel()
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

// The name of no document.
const nothing = 'waybill-probe'

// Whoever may not list the bucket is not told what is missing from it.
function isAbsence(error: unknown): boolean {
  if (!(error instanceof S3ServiceError)) return false
  const { status, serviceCode } = error
  return status === 404 ? serviceCode !== 'NoSuchBucket' : status === 403 && serviceCode === 'AccessDenied'
}

export type ExaminedBucket = {
  /** What time it is there, if it says so, and how many milliseconds the answer took. */
  clock: Date | undefined
  took: number
  /** Whether what was written could be removed: the key need not have that right. */
  isRemoved: boolean
}

/** Writes an object of its own, reads it again, and removes it where it may. */
export async function examineBucket(address: BucketAddress): Promise<ExaminedBucket> {
  const s3 = clientOf(address, fetchHastily)
  const key = `${address.prefix}${nothing}`
  const content = randomBytes(64)
  try {
    await (await s3.putObject(key, content)).body?.cancel()
    const begun = performance.now()
    const answer = await s3.getObjectRaw(key)
    const took = performance.now() - begun
    const date = answer.headers.get('date')
    const isSame = content.equals(Buffer.from(await answer.arrayBuffer()))
    if (!isSame) throw Object.assign(new Error('other bytes'), { code: 'what is read is not what was written' })
    // Whatever keeps it from being removed keeps no document from being stored.
    const isRemoved = await s3.deleteObject(key).catch(() => false)
    return { clock: date === null ? undefined : new Date(date), took, isRemoved }
  } catch (error) {
    throw unavailable(address, error)
  }
}

function clientOf({ origin, bucket, region, accessKey, secret }: BucketAddress, using: typeof fetch): S3mini {
  return new S3mini({
    endpoint: `${origin}/${bucket}`,
    region,
    accessKeyId: accessKey,
    secretAccessKey: secret,
    fetch: using,
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

async function readPart(file: FileHandle, room: Buffer, start: number): Promise<Buffer> {
  for (let filled = 0; filled < room.length; ) {
    const { bytesRead } = await file.read(room, filled, room.length - filled, start + filled)
    if (bytesRead === 0) throw new Error('a file became shorter while it was read')
    filled += bytesRead
  }
  return room
}

// What a bucket answers may repeat the access key and what was signed with it: nothing but its code is told, and that
// only to the operator.
function unavailable({ origin, bucket }: BucketAddress, error: unknown): Refusal {
  const refusal = new Refusal('service_unavailable', 'The bytes of documents cannot be reached right now.')
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
