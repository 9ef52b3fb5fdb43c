import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * The bytes of documents: a file each, named by the hash of its content. What is taken in waits apart until it
 * is kept, so that what comes to nothing leaves nothing behind.
 */
export type DocumentFiles = {
  takeIn(): Intake
  open(hash: string): Promise<{ size: number; stream: Readable } | undefined>
}

export type StoredContent = { hash: string; size: number }

/** The bytes of one undertaking. */
export type Intake = {
  add(content: Buffer | Readable): Promise<StoredContent>
  /** Marks what is to stay. */
  accept(hash: string): Promise<void>
  /** Makes all that was accepted stay; to be called before the transaction that refers to it ends. */
  keepAccepted(): Promise<void>
  /** Forgets the rest. */
  discard(): Promise<void>
}

export function documentFiles(dataFolder: string): DocumentFiles {
  const folder = join(dataFolder, 'documents')
  return {
    takeIn: () => intakeInto(folder),
    async open(hash) {
      const file = await open(placeOf(folder, hash)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!file) return undefined
      try {
        return { size: (await file.stat()).size, stream: file.createReadStream() }
      } catch (error) {
        await file.close()
        throw error
      }
    },
  }
}

function placeOf(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), hash)
}

function intakeInto(folder: string): Intake {
  const intake = join(folder, `incoming-${randomUUID()}`)
  const arrived = join(intake, 'arrived')
  const accepted = join(intake, 'accepted')
  const swept = removeAbandoned(folder)
  const arriving = new Set<Promise<unknown>>()
  let isDiscarded = false

  async function arrive(content: Buffer | Readable): Promise<StoredContent> {
    await mkdir(arrived, { recursive: true, mode: 0o700 })
    await mkdir(accepted, { recursive: true, mode: 0o700 })
    const unnamed = join(intake, randomUUID())
    const stored = await writeDurably(unnamed, content)
    await rename(unnamed, join(arrived, stored.hash))
    return stored
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
    async keepAccepted() {
      const files = await opendir(accepted).catch(() => [])
      for await (const { name } of files) {
        await mkdir(join(folder, name.slice(0, 2)), { recursive: true, mode: 0o700 })
        await rename(join(accepted, name), placeOf(folder, name))
      }
    },
    async discard() {
      // A transaction that is cut off ends before the work inside it does, which may be adding still.
      isDiscarded = true
      await Promise.allSettled([swept, ...arriving])
      await rm(intake, { recursive: true, force: true })
    },
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

async function writeDurably(path: string, content: Buffer | Readable): Promise<StoredContent> {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer>)) {
      hash.update(chunk)
      size += chunk.length
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { hash: hash.digest('hex'), size }
}
