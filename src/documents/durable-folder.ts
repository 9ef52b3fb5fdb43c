import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Folders that survive a power failure: an entry is durable once its folder was synced. */

/** Creates a folder and its missing parents, durably. */
export async function makeDurableFolder(path: string): Promise<void> {
  for (const made of await makeFolder(path)) await syncFolder(dirname(made))
}

/**
 * Creates a folder and its missing parents; returns those that were created. Not by Node's `recursive`, which never ends
 * where a folder exists but creating one in it fails with ENOENT, as below /proc.
 */
export async function makeFolder(path: string): Promise<string[]> {
  const folder = resolve(path)
  if (await isFolder(folder)) return []
  const parent = dirname(folder)
  const above = parent === folder ? [] : await makeFolder(parent)
  try {
    await mkdir(folder, { mode: 0o700 })
    return [...above, folder]
  } catch (error) {
    // Another process may have created it at the same time.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isFolder(folder))) return above
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return found?.isDirectory() ?? false
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
