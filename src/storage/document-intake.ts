import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '../contract/refusals.js'
import type { Intake, StoredContent } from './document-files.js'
import { makeFolder } from './durable-folder.js'

export type Keeping = {
  /** Puts a file of the intake where documents stay. */
  keep(path: string, hash: string): Promise<void>
  /** Brings it so far that only a short step is left; absent: keeping takes no longer than that. */
  prepare?(path: string, hash: string): Promise<PreparedFile>
  /** Called when all were kept. */
  settle?(): Promise<void>
  /** How many files may be on their way at a time. */
  atOnce: number
}

/** A file that nobody sees yet: it stays by a short step, or goes. */
export type PreparedFile = { keep(): Promise<void>; discard(): Promise<void> }

/** Where bytes wait on this machine, whole and durable, until it is known what becomes of them. */
export function openIntake(folder: string, { keep, prepare, settle, atOnce }: Keeping): Intake {
  const intake = join(folder, `incoming-${randomUUID()}`)
  const arrived = join(intake, 'arrived')
  const accepted = join(intake, 'accepted')
  const swept = removeAbandoned(folder)
  const arriving = new Set<Promise<unknown>>()
  const prepared = new Map<string, PreparedFile>()
  let isDiscarded = false

  async function arrive(content: Buffer | Readable): Promise<StoredContent> {
    await makeFolder(folder)
    await mkdir(arrived, { recursive: true, mode: 0o700 })
    await mkdir(accepted, { recursive: true, mode: 0o700 })
    const unnamed = join(intake, randomUUID())
    const { hash, size } = await writeDurably(unnamed, content)
    const path = join(arrived, hash)
    await rename(unnamed, path)
    return { hash, size, path }
  }

  async function keepOne(name: string): Promise<void> {
    const ahead = prepared.get(name)
    if (!ahead) return keep(join(accepted, name), name)
    await ahead.keep()
    prepared.delete(name)
  }

  return {
    async add(content) {
      if (isDiscarded) throw new Error('the undertaking that this belongs to has been given up')
      const arrival = arrive(content)
      arriving.add(arrival)
      return arrival.finally(() => arriving.delete(arrival))
    },
    async accept(hash) {
      await rename(join(arrived, hash), join(accepted, hash)).catch(async (error: NodeJS.ErrnoException) => {
        // Two documents may have the same content.
        const twice = error.code === 'ENOENT' && (await stat(join(accepted, hash)).catch(() => undefined))
        if (!twice) throw error
      })
    },
    async prepareAccepted() {
      if (!prepare) return
      await forEachFile(accepted, atOnce, async (name) => {
        prepared.set(name, await prepare(join(accepted, name), name))
      })
    },
    async keepAccepted() {
      await forEachFile(accepted, atOnce, keepOne)
      await settle?.()
    },
    async discard() {
      // A transaction that is cut off ends before the work inside it does, which may be adding still.
      isDiscarded = true
      await Promise.allSettled([swept, ...arriving])
      await Promise.all([...prepared.values()].map((file) => file.discard()))
      await rm(intake, { recursive: true, force: true })
    },
  }
}

async function forEachFile(folder: string, atOnce: number, work: (name: string) => Promise<void>): Promise<void> {
  const files = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!files) return
  let hasFailed = false

  async function takeTurns(opened: NonNullable<typeof files>): Promise<void> {
    for (let file = await opened.read(); file && !hasFailed; file = await opened.read()) await work(file.name)
  }

  try {
    const turns = Array.from({ length: atOnce }, () =>
      takeTurns(files).catch((error: unknown) => {
        hasFailed = true
        throw error
      }),
    )
    // What is on its way comes to its end first: its file must not be taken from under it.
    await Promise.allSettled(turns)
    await Promise.all(turns)
  } finally {
    await files.close()
  }
}

const abandonedAfter = 24 * 60 * 60 * 1000

// A process that was killed leaves its intake behind; one that still works has touched its own since.
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.startsWith('incoming-'))) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandonedAfter)
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

// A disk that is about to be full takes a part of what it is given, and says so only when it is given more.
async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, written).catch(refuseWhenFull)
    written += bytesWritten
  }
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function refuseWhenFull(error: NodeJS.ErrnoException): never {
  if (!full.has(error.code ?? '')) throw error
  const refusal = new Refusal('service_unavailable', 'There is no room for the bytes of documents right now.')
  refusal.cause = error
  throw refusal
}
