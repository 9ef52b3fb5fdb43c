import { mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DocumentFiles } from './document-files.js'
import { type Keeping, openIntake } from './document-intake.js'
import { syncFolder } from './durable-folder.js'
import { probeFolder } from './folder-probe.js'

/** Documents in a folder of this machine, a file each. */
export function documentFolder(folder: string): DocumentFiles {
  const placeOf = (hash: string) => join(folder, hash.slice(0, 2), hash)

  function keeping(): Keeping {
    const touched = new Set<string>()
    return {
      atOnce: 1,
      async keep(path, hash) {
        const place = placeOf(hash)
        await mkdir(dirname(place), { recursive: true, mode: 0o700 })
        await rename(path, place)
        touched.add(dirname(place))
      },
      // A file is as durable as its name in the folder, and that as the folder's own: once for all files of an import.
      async settle() {
        for (const each of touched) await syncFolder(each)
        if (touched.size > 0) await syncFolder(folder)
      },
    }
  }

  return {
    takeIn: () => openIntake(folder, keeping()),
    probe: () => probeFolder(folder),
    async sizeOf(hash) {
      return (await stat(placeOf(hash)).catch(undefinedIfMissing))?.size
    },
    async open(hash) {
      const file = await open(placeOf(hash)).catch(undefinedIfMissing)
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

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
