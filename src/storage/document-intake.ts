import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Intake, StoredContent } from './document-files.js'

type Keeping = {
  /** Puts a file of the intake where documents stay. */
  keep(path: string, hash: string): Promise<void>
  /** How many files may be on their way at a time. */
  atOnce: number
}

/** Where bytes wait on this machine, whole and durable, until it is known what becomes of them. */
export function openIntake(folder: string, { keep, atOnce }: Keeping): Intake {
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
    const { hash, size } = await writeDurably(unnamed, content)
    const path = join(arrived, hash)
    await rename(unnamed, path)
    return { hash, size, path }
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
    keepAccepted: () => forEachFile(accepted, atOnce, (name) => keep(join(accepted, name), name)),
    async discard() {
      // A transaction that is cut off ends before the work inside it does, which may be adding still.
      isDiscarded = true
      await Promise.allSettled([swept, ...arriving])
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
      await file.write(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { hash: hash.digest('hex'), size }
}
