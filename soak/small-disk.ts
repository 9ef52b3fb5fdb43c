import { spawnSync } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A small file system in memory that can be filled up. */
export type SmallDisk = {
  folder: string
  /** Uses up all free space. */
  fill: () => Promise<void>
  makeRoom: () => Promise<void>
  remove: () => Promise<void>
}

/** Undefined if this user cannot mount a file system. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  await mkdir(folder, { recursive: true })
  const options = `size=${megabytes}m,mode=755`
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  if (status !== 0) return undefined
  const unmount = () => spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
  process.once('exit', unmount)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a')
      try {
        for (const size of [1024 * 1024, 4096, 1]) await writeUntilFull(file, size)
      } finally {
        await file.close()
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    async remove() {
      process.removeListener('exit', unmount)
      unmount()
    },
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, size: number): Promise<void> {
  const bytes = Buffer.alloc(size)
  for (;;) {
    const written = await file.write(bytes).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error
      return undefined
    })
    if (!written || written.bytesWritten < size) return
  }
}
