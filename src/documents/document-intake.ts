import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { systemTime } from '../clock/clock.js'
import { Refusal } from '../contract/refusals.js'
import type { Intake, StoredContent } from './document-files.js'
import { makeDurableFolder, makeFolder } from './durable-folder.js'

export type IntakeStorage = {
  /** Moves a staged file to its final place. */
  keep(path: string, hash: string): Promise<void>
  /** Does the slow part of `keep`; absent if `keep` is fast. */
  prepare?(path: string, hash: string): Promise<PreparedFile>
  /** Called after all files were kept. */
  flush?(): Promise<void>
  /** How many files are processed concurrently. */
  concurrency: number
}

/** A file that is not visible yet: a short step keeps it, or it is discarded. */
export type PreparedFile = { keep(): Promise<void>; discard(): Promise<void> }

/** Stages contents in a local folder, complete and synced, until they are kept or discarded. */
export function openIntake(folder: string, { keep, prepare, flush, concurrency }: IntakeStorage): Intake {
  const intake = join(folder, `incoming-${randomUUID()}`)
  const arrived = join(intake, 'arrived')
  const accepted = join(intake, 'accepted')
  const cleanup = removeAbandoned(folder)
  const arriving = new Set<Promise<unknown>>()
  const prepared = new Map<string, PreparedFile>()
  let isDiscarded = false

  async function stage(content: Buffer | Readable): Promise<StoredContent> {
    await makeDurableFolder(folder)
    await makeFolder(arrived)
    await makeFolder(accepted)
    const unnamed = join(intake, randomUUID())
    const { hash, size } = await writeDurably(unnamed, content)
    const path = join(arrived, hash)
    await rename(unnamed, path)
    return { hash, size, path }
  }

  async function keepOne(name: string): Promise<void> {
    const file = prepared.get(name)
    if (!file) return keep(join(accepted, name), name)
    await file.keep()
    prepared.delete(name)
  }

  return {
    async add(content) {
      if (isDiscarded) throw new Error('the intake was discarded')
      const arrival = stage(content)
      arriving.add(arrival)
      return arrival.finally(() => arriving.delete(arrival))
    },
    async accept(hash) {
      await rename(join(arrived, hash), join(accepted, hash)).catch(async (error: NodeJS.ErrnoException) => {
        // Two documents may have the same content.
        const isDuplicate = error.code === 'ENOENT' && (await stat(join(accepted, hash)).catch(() => undefined))
        if (!isDuplicate) throw error
      })
    },
    async prepareAccepted() {
      if (!prepare) return
      await forEachFile(accepted, concurrency, async (name) => {
        prepared.set(name, await prepare(join(accepted, name), name))
      })
    },
    async keepAccepted() {
      await forEachFile(accepted, concurrency, keepOne)
      await flush?.()
    },
    async discard() {
      // A transaction that was aborted may end before the work inside it, which may still be adding.
      isDiscarded = true
      await Promise.allSettled([cleanup, ...arriving])
      await Promise.all([...prepared.values()].map((file) => file.discard()))
      await rm(intake, { recursive: true, force: true })
    },
  }
}

async function forEachFile(folder: string, concurrency: number, work: (name: string) => Promise<void>): Promise<void> {
  const files = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!files) return
  let hasFailed = false

  async function processFiles(opened: NonNullable<typeof files>): Promise<void> {
    for (let file = await opened.read(); file && !hasFailed; file = await opened.read()) await work(file.name)
  }

  try {
    const workers = Array.from({ length: concurrency }, () =>
      processFiles(files).catch((error: unknown) => {
        hasFailed = true
        throw error
      }),
    )
    // Running workers finish first: their files must not be removed under them.
    await Promise.allSettled(workers)
    await Promise.all(workers)
  } finally {
    await files.close()
  }
}

const abandonedAfter = 24 * 60 * 60 * 1000

// A killed process leaves its intake behind; a running one has modified its own within this time.
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.startsWith('incoming-'))) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && systemTime() - found.mtimeMs > abandonedAfter)
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function writeDurably(path: string, content: Buffer | Readable): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)) {
      hash.update(chunk)
      size += chunk.length
      await writeAll(file, chunk)
    }
    await file.sync().catch(refuseWhenFull)
  } finally {
    await file.close()
  }
  return { hash: hash.digest('hex'), size }
}

// A disk that is nearly full writes a part, and reports the error with the next write.
async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, written).catch(refuseWhenFull)
    written += bytesWritten
  }
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function refuseWhenFull(error: NodeJS.ErrnoException): never {
  if (!full.has(error.code ?? '')) throw error
  const refusal = new Refusal('service_unavailable', 'Document storage is full.')
  refusal.cause = error
  throw refusal
}
