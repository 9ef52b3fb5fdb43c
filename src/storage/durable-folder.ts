import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Folders whose entries outlast a loss of power: what lies in a folder is as durable as the folder itself. */

/** Makes a folder, and those above it that are missing. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const highest = resolve(first)
  for (let made = resolve(path); made.length >= highest.length; made = dirname(made)) await syncFolder(dirname(made))
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
