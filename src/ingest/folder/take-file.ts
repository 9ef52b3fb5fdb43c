import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, lstat, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { systemTime } from '../../clock/clock.js'
import type { Quotas } from '../../contract/operator/quotas.js'
import type { Database } from '../../database/database.js'
import { syncFolder } from '../../documents/durable-folder.js'
import { formatOf, mostMessageBytes } from '../../domain/messages/message-format.js'
import { tryFileLock } from '../../store/messages.js'
import { acknowledgementOf } from '../../usecases/messages/acknowledge-message.js'
import { takeMessage } from '../../usecases/messages/receive-message.js'

/**
 * Takes one file of a sender: it is stored in the inbox, processed, acknowledged, and only then moved to `done` or `failed`.
 * A process that ends in between leaves the file where it was; taken again, its message is a duplicate and changes nothing.
 */

export type WatchedFile = { sender: string; name: string; size: number; mtimeMs: number; ino: number }

export type FolderOptions = { quotas: Quotas; onError(error: unknown): void }

/** Only one process takes a file: the others go on. */
export async function takeFile(db: Database, folder: string, file: WatchedFile, options: FolderOptions): Promise<void> {
  await db.begin(
    async (sql) => {
      if (await tryFileLock(sql, `${file.sender}/${file.name}`))
        await take(db, join(folder, file.sender), file, options)
    },
    // The work is done on other connections; this one only holds the lock.
    { statementTimeout: 0 },
  )
}

async function take(db: Database, folder: string, file: WatchedFile, options: FolderOptions): Promise<void> {
  const read = await readWhole(join(folder, file.name), file)
  if (read === 'changed') return
  await checkWritable(folder)
  if ('fault' in read) return refuse(folder, file.name, read.fault)
  const { content } = read
  const found = formatOf(content, file.name)
  if ('fault' in found) return refuse(folder, file.name, found.fault)
  const message = await takeMessage(db, { sender: file.sender, ...found, channel: 'folder', content }, options)
  const name = `${message.message_id}-${safeName(file.name)}`
  const answer = await acknowledgementOf({ ...message, content })
  if (answer !== undefined) {
    const extension = message.format === 'x12' ? 'x12' : 'edi'
    await writeWhole(await subfolder(folder, 'acknowledgements'), `${message.message_id}.${extension}`, answer)
  }
  if (message.outcome !== 'unreadable') return move(folder, file.name, 'done', name)
  await writeWhole(await subfolder(folder, 'failed'), `${name}.txt`, `${message.reason ?? 'It cannot be read.'}\n`)
  return move(folder, file.name, 'failed', name)
}

/** Moves a file away that is no message, with a text beside it that says why. */
async function refuse(folder: string, name: string, reason: string): Promise<void> {
  const target = `${systemTime()}-${randomBytes(4).toString('hex')}-${safeName(name)}`
  await writeWhole(await subfolder(folder, 'failed'), `${target}.txt`, `${reason}\n`)
  await move(folder, name, 'failed', target)
}

/** What cannot be moved away would be stored again and again. */
async function checkWritable(folder: string): Promise<void> {
  for (const path of [folder, await subfolder(folder, 'done'), await subfolder(folder, 'failed')])
    await access(path, constants.W_OK)
}

type Read = { content: Buffer } | { fault: string } | 'changed'

async function readWhole(path: string, seen: WatchedFile): Promise<Read> {
  const found = await lstat(path).catch(() => undefined)
  // Another process has taken it, or it is still being written.
  if (!found || !isSame(found, seen)) return 'changed'
  if (found.isSymbolicLink()) return { fault: 'It is a symbolic link, which is not followed.' }
  if (!found.isFile()) return { fault: 'It is not a regular file.' }
  if (found.size > mostMessageBytes) return { fault: `It is larger than ${mostMessageBytes / 1024 / 1024} MiB.` }
  if (found.size === 0) return { fault: 'It is empty.' }
  // It may have been replaced by a link or a pipe since: neither is followed or waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => error,
  )
  if (file instanceof Error) {
    if (file.code === 'ENOENT' || file.code === 'ELOOP') return 'changed'
    return { fault: `It cannot be opened: ${file.code}.` }
  }
  try {
    if (!isSame(await file.stat(), seen)) return 'changed'
    const content = Buffer.alloc(found.size + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(content, length, content.length - length)
      length += bytesRead
      if (bytesRead === 0 || length > found.size) break
    }
    if (length !== found.size || !isSame(await file.stat(), seen)) return 'changed'
    return { content: content.subarray(0, length) }
  } finally {
    await file.close()
  }
}

type Identity = Pick<WatchedFile, 'size' | 'mtimeMs' | 'ino'>

export function isSame(one: Identity, other: Identity): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino
}

/** A folder of ours beside the files; a link in its place is refused, since it would lead elsewhere. */
async function subfolder(folder: string, name: 'done' | 'failed' | 'acknowledgements'): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o750 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`)
  return path
}

async function move(folder: string, name: string, to: 'done' | 'failed', target: string): Promise<void> {
  const into = await subfolder(folder, to)
  await rename(join(folder, name), join(into, target))
  await syncFolder(into)
  await syncFolder(folder)
}

/** Readers see the whole file or none. */
async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const partial = join(folder, `.${name}.${randomBytes(4).toString('hex')}.tmp`)
  const file = await open(partial, 'wx', 0o640)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, join(folder, name))
  await syncFolder(folder)
}

/** Names come from outside: what may confuse a terminal or is too long to carry a prefix is left out. */
function safeName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_')
    .slice(0, 60)
}
