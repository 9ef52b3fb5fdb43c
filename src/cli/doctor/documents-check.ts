import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type BucketAddress, examineBucket } from '../../storage/document-bucket.js'
import { examineFolder } from '../../storage/folder-probe.js'
import type { Settings } from '../settings.js'
import { judgeClock } from './clock-check.js'
import { type Finding, looking, ok, skipped, warning, wrong } from './finding.js'

const subject = 'documents'

/** Where the bytes of documents lie: something is written there, read and removed. */
export async function checkDocuments({ documents, dataFolder }: Settings): Promise<Finding[]> {
  const own = resolve(dataFolder, 'documents')
  const found = await (documents === undefined
    ? checkFolder(own)
    : 'folder' in documents
      ? checkFolder(resolve(documents.folder))
      : checkBucket(documents, own))
  const folders = documents && 'folder' in documents ? [dataFolder, documents.folder] : [dataFolder]
  const room = await Promise.all(folders.map((folder) => checkRoom(resolve(folder))))
  return [...found, ...room.flat()]
}

async function checkFolder(folder: string): Promise<Finding[]> {
  const mend = `let this user write to ${folder}, and see that its disk is there and has room`
  return looking(subject, mend, async () => {
    const missing = await findMissing(folder)
    if (missing) return [missing]
    const { clock } = await examineFolder(folder)
    const { mode } = await stat(folder)
    const good = ok(subject, `${folder} can be written, read and removed from`)
    const isOpen = (mode & 0o007) !== 0
    const open = warning(subject, `everybody on this machine may look into ${folder}`, `chmod o-rwx ${folder}`)
    return [isOpen ? open : good, judgeClock(`the disk of ${folder}`, clock, 0)]
  })
}

/** Nothing is made here that `serve` would make. */
async function findMissing(folder: string): Promise<Finding | undefined> {
  const above = await nearestExisting(folder)
  if (above === folder) return undefined
  await access(above, constants.W_OK | constants.X_OK)
  return skipped(subject, `${folder} is not there yet: it is made when it is needed`)
}

async function checkBucket(address: BucketAddress, intakeFolder: string): Promise<Finding[]> {
  const where = `the bucket ${address.bucket} at ${address.origin}`
  const mend = 'correct WAYBILL_DOCUMENTS; the key needs to get and put objects'
  const found = await looking(subject, mend, async () => {
    const { clock, took, isRemoved } = await examineBucket(address)
    const good = ok(subject, `${where} can be written and read`)
    const left = ok(subject, `${where} can be written and read (a small object stays there: it may not be removed)`)
    return [isRemoved ? good : left, ...(clock ? [judgeClock(where, clock, took)] : [])]
  })
  // What comes waits there until it is good.
  return [...found, ...(await checkFolder(intakeFolder))]
}

type Room = { free: number; total: number; freeFiles: number; files: number }

async function checkRoom(folder: string): Promise<Finding[]> {
  return looking('disk', `see that ${folder} is a folder on a disk that is there`, async () => {
    const { bavail, blocks, bsize, ffree, files } = await statfs(await nearestExisting(folder))
    return [judgeRoom(folder, { free: bavail * bsize, total: blocks * bsize, freeFiles: ffree, files })]
  })
}

const gigabyte = 1e9

/** Whether there is room for a while. */
export function judgeRoom(folder: string, { free, total, freeFiles, files }: Room): Finding {
  const about = 'disk'
  const left = `${folder} has ${(free / gigabyte).toFixed(1)} GB left of ${(total / gigabyte).toFixed(1)} GB`
  const mend = 'make room, or give it a larger disk'
  if (free < gigabyte / 10) return wrong(about, left, mend)
  if (files > 0 && freeFiles / files < 0.01) return wrong(about, `${folder} has no room for more files`, mend)
  if (free < gigabyte || free / total < 0.05) return warning(about, left, mend)
  return ok(about, left)
}

async function nearestExisting(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (found || dirname(place) === place) return place
  }
}
