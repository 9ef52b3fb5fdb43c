import { randomBytes, randomUUID } from 'node:crypto'
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDurableFolder, syncFolder } from './durable-folder.js'

const length = 4096

/** Rejects if the folder is not writable: it writes a test file. */
export async function probeFolder(folder: string): Promise<void> {
  await withProbe(folder, (path) => writeFile(path, Buffer.alloc(length), { flag: 'wx', mode: 0o600 }))
}

/** Writes and syncs a file as documents are, reads it again, and returns the clock of the file system. */
export async function examineFolder(folder: string): Promise<{ clock: Date }> {
  const content = randomBytes(length)
  return withProbe(folder, async (path) => {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await syncFolder(folder)
    if (!content.equals(await readFile(path)))
      throw new Error(`the content read from ${folder} differs from what was written`)
    return { clock: (await stat(path)).mtime }
  })
}

// Named like an intake, so that a file left by a killed process is removed with those.
async function withProbe<Result>(folder: string, work: (path: string) => Promise<Result>): Promise<Result> {
  await makeDurableFolder(folder)
  const path = join(folder, `incoming-${randomUUID()}`)
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
