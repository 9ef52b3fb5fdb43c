import { randomBytes, randomUUID } from 'node:crypto'
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from './durable-folder.js'

/** Whether a folder can be written to is known when something was written to it. */

const length = 4096

/** Rejects where nothing can be written, for whatever reason. */
export async function probeFolder(folder: string): Promise<void> {
  await withProbe(folder, (path) => writeFile(path, Buffer.alloc(length), { flag: 'wx', mode: 0o600 }))
}

/** Writes as a document is written, and reads it again; tells what time it is there. */
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
      throw new Error(`what was written to ${folder} is not what is read there`)
    return { clock: (await stat(path)).mtime }
  })
}

// Named like an intake: what a killed process leaves behind is removed with those.
async function withProbe<Result>(folder: string, work: (path: string) => Promise<Result>): Promise<Result> {
  await makeFolder(folder)
  const path = join(folder, `incoming-${randomUUID()}`)
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
