import { open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DocumentFiles } from './document-files.js'
import { type IntakeStorage, openIntake } from './document-intake.js'
import { makeFolder, syncFolder } from './durable-folder.js'
import { probeFolder } from './folder-probe.js'

/** Documents as files of a local folder. */
export function documentFolder(folder: string): DocumentFiles {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)

  function newStorage(): IntakeStorage {
    const touched = new Set<string>()
    return {
      concurrency: 1,
      async keep(path, hash) {
        const target = pathOf(hash)
        await makeFolder(dirname(target))
        await rename(path, target)
        touched.add(dirname(target))
      },
      // A file survives a crash only after its folder and the parent folder were synced: once for all files of an import.
      async flush() {
        for (const each of touched) await syncFolder(each)
        if (touched.size > 0) await syncFolder(folder)
      },
    }
  }

  return {
    createIntake: () => openIntake(folder, newStorage()),
    probe: () => probeFolder(folder),
    async sizeOf(hash) {
      return (await stat(pathOf(hash)).catch(undefinedIfMissing))?.size
    },
    async open(hash) {
      const file = await open(pathOf(hash)).catch(undefinedIfMissing)
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
