import { type FileHandle, open } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { Failure } from './failure.js'

/**
 * Explains a file system error at or below a path in one sentence, with the setting or argument that contains the path and
 * what to do. Returns undefined for other errors.
 */
export function findFileFailure(error: unknown, { name, path }: { name: string; path: string }): Failure | undefined {
  const { code, syscall, message, path: failedPath } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === undefined || syscall === undefined || message === undefined) return undefined
  const isHere = failedPath === undefined ? pathlessCalls.has(syscall) : isBelow(resolve(failedPath), resolve(path))
  if (!isHere) return undefined
  return new Failure(`${name} ${JSON.stringify(path)} cannot be used (${message})`, 1, advice[code] ?? otherAdvice)
}

/** Opens an input file of the command line. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Failure(`there is no file ${path}`)
    throw new Failure(
      `${path} cannot be read (${error.message})`,
      1,
      'give this user read access, or choose another file',
    )
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Failure(`${path} is not a file`)
}

// Errors of these calls have no path.
const pathlessCalls = new Set(['read', 'write', 'writev', 'fsync', 'close'])

/** The same path, a path in that folder, or its unfinished file (`.part`). */
function isBelow(candidate: string, path: string): boolean {
  return candidate === path || candidate.startsWith(`${path}${sep}`) || candidate.startsWith(`${path}.`)
}

const freeSpace = 'free some space there, or choose a path on another disk'
const grantAccess = 'give this user write access, or choose another path'
const otherAdvice = 'choose a path in an existing folder that this user can write to'

const advice: Record<string, string> = {
  EACCES: grantAccess,
  EPERM: grantAccess,
  EROFS: grantAccess,
  EEXIST: 'remove the existing file, or choose another path',
  EISDIR: 'choose a file, not a folder',
  ENOTDIR: 'remove the file where a folder is needed, or choose another path',
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EFBIG: freeSpace,
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ENFILE: 'raise the limit of open files (ulimit -n)',
}
