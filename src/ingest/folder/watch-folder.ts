import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/database.js'
import { makeFolder } from '../../documents/durable-folder.js'
import { type FolderOptions, isSame, takeFile, type WatchedFile } from './take-file.js'

/** Watches a folder with a folder for each sender, and takes files that are no longer being written. */

type Options = FolderOptions & {
  signal: AbortSignal
  /** How long a file stays the same before it counts as complete. */
  settledAfter?: number
}

type Seen = WatchedFile & { since: number }

const pause = 1000
const pauseAfterError = 5000
const pauseOfFile = 30_000
// More are left for the next time.
const mostFiles = 1000
const mostSenders = 10_000

/** Runs until the signal aborts. */
export async function watchFolder(db: Database, folder: string, options: Options): Promise<void> {
  const { signal, onError, settledAfter = 2000 } = options
  const report = onceEach(onError)
  let seen = new Map<string, Seen>()
  while (!signal.aborted) {
    let wait = pause
    try {
      await makeFolder(folder)
      seen = await lookThrough(folder, seen, report)
      const settled = [...seen.values()].filter(({ since }) => performance.now() - since >= settledAfter)
      // Those of a sender in the order in which they were written.
      const inOrder = settled.toSorted((one, other) => one.mtimeMs - other.mtimeMs || (one.name < other.name ? -1 : 1))
      for (const file of inOrder) {
        if (signal.aborted) return
        try {
          await takeFile(db, folder, file, options)
        } catch (error) {
          // The others go on; this one is tried again later.
          report(error)
          const { sender, name } = file
          seen.set(`${sender}/${name}`, { ...file, since: performance.now() + pauseOfFile })
        }
      }
    } catch (error) {
      if (signal.aborted) return
      report(error)
      wait = pauseAfterError
    }
    await sleep(wait, undefined, { signal }).catch(() => {})
  }
}

/** Reports an error again only after another one. */
function onceEach(onError: (error: unknown) => void): (error: unknown) => void {
  let last = ''
  return (error) => {
    const { message } = error as Error
    if (message !== last) onError(error)
    last = message
  }
}

/** The files that are there, each with the time since which it has been the same. */
async function lookThrough(
  folder: string,
  before: Map<string, Seen>,
  report: (error: unknown) => void,
): Promise<Map<string, Seen>> {
  const files = new Map<string, Seen>()
  for (const sender of await namesIn(folder, mostSenders)) {
    const path = join(folder, sender)
    if (!(await lstat(path)).isDirectory()) continue
    if (!/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/.test(sender)) {
      report(new Error(`${JSON.stringify(path)} is not watched: its name cannot be that of a sender`))
      continue
    }
    for (const name of await namesIn(path, mostFiles)) {
      if (isUnfinished(name)) continue
      // Names that are not valid text do not lead to their file.
      const found = await lstat(join(path, name)).catch(() => undefined)
      if (!found || found.isDirectory()) continue
      const { size, mtimeMs, ino } = found
      const key = `${sender}/${name}`
      const known = before.get(key)
      const since = known && isSame(known, found) ? known.since : performance.now()
      files.set(key, { sender, name, size, mtimeMs, ino, since })
    }
  }
  return files
}

async function namesIn(path: string, most: number): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(path)) {
    names.push(name)
    if (names.length >= most) break
  }
  return names
}

/** By the names that programs give to files which they are still writing. */
function isUnfinished(name: string): boolean {
  return name.startsWith('.') || /\.(?:part|partial|filepart|tmp|temp|swp|crdownload)$|~$/i.test(name)
}
