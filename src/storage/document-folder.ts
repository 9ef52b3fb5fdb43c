import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DocumentFiles } from './document-files.js'
import { openIntake } from './document-intake.js'

/** Documents in a folder of this machine, a file each. */
export function documentFolder(folder: string): DocumentFiles {
  const placeOf = (hash: string) => join(folder, hash.slice(0, 2), hash)

  async function keep(path: string, hash: string): Promise<void> {
    await mkdir(dirname(placeOf(hash)), { recursive: true, mode: 0o700 })
    await rename(path, placeOf(hash))
  }

  return {
    takeIn: () => openIntake(folder, { keep, atOnce: 1 }),
    async open(hash) {
      const file = await open(placeOf(hash)).catch((error: NodeJS.ErrnoException) => {
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
