import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type BucketAddress, examineBucket } from '../../documents/document-bucket.js'
import { examineFolder } from '../../documents/folder-probe.js'
import type { Settings } from '../settings.js'
import { clockFinding } from './clock-check.js'
import { catchFindings, type Finding, ok, skipped, warning, wrong } from './finding.js'

const subject = 'documents'

type Place = { folder: string; setting: string }

/** Checks the document storage by writing, reading and removing a file. */
export async function checkDocuments({ documents, dataFolder }: Settings): Promise<Finding[]> {
  const data = { folder: resolve(dataFolder), setting: 'WAYBILL_DATA_DIR' }
  const own = { ...data, folder: join(data.folder, 'documents') }
  const given =
    documents && 'folder' in documents ? { folder: resolve(documents.folder), setting: 'WAYBILL_DOCUMENTS' } : undefined
  const found = documents && 'origin' in documents ? checkBucket(documents, own) : checkFolder(given ?? own)
  const space = await Promise.all((given ? [data, given] : [data]).map(checkSpace))
  return [...(await found), ...space.flat()]
}

async function checkFolder(place: Place): Promise<Finding[]> {
  const { folder, setting } = place
  const fix = `give this user write access to ${folder} (${setting}), and check that its disk is mounted and not full`
  return catchFindings(subject, fix, async () => {
    const missing = await findMissing(folder)
    if (missing) return [missing]
    const { clock } = await examineFolder(folder)
    const { mode } = await stat(folder)
    const good = ok(subject, `files in ${folder} can be written, read and removed`)
    const isOpen = (mode & 0o007) !== 0
    const open = warning(subject, `all users of this machine can read ${folder}`, `chmod o-rwx ${folder}`)
    return [isOpen ? open : good, clockFinding(`the disk of ${folder}`, clock, 0)]
  })
}

/** Creates and removes a folder with another name, to test whether `serve` could create the missing one. */
async function findMissing(folder: string): Promise<Finding | undefined> {
  const above = await nearestExisting(folder)
  if (above === folder) return undefined
  await rmdir(await mkdtemp(join(above, 'waybill-doctor-')))
  return skipped(subject, `${folder} does not exist yet: it is created on demand`)
}

async function checkBucket(address: BucketAddress, intake: Place): Promise<Finding[]> {
  const where = `the bucket ${address.bucket} at ${address.origin}`
  const fix = 'correct WAYBILL_DOCUMENTS; the key needs permission to get and put objects'
  const found = await catchFindings(subject, fix, async () => {
    const { clock, took, isRemoved } = await examineBucket(address)
    const good = ok(subject, `${where} can be written and read`)
    const left = ok(subject, `${where} can be written and read (a small object remains: the key may not remove it)`)
    return [isRemoved ? good : left, ...(clock ? [clockFinding(where, clock, took)] : [])]
  })
  // Uploads are stored in this folder until they are accepted.
  return [...found, ...(await checkFolder(intake))]
}

type Space = { free: number; total: number; freeFiles: number; files: number }

async function checkSpace({ folder, setting }: Place): Promise<Finding[]> {
  return catchFindings('disk', `check that ${folder} (${setting}) is a folder on a mounted disk`, async () => {
    const { bavail, blocks, bsize, ffree, files } = await statfs(await nearestExisting(folder))
    return [spaceFinding(folder, { free: bavail * bsize, total: blocks * bsize, freeFiles: ffree, files })]
  })
}

const gigabyte = 1e9

export function spaceFinding(folder: string, { free, total, freeFiles, files }: Space): Finding {
  const about = 'disk'
  const left = `${folder} has ${(free / gigabyte).toFixed(1)} GB left of ${(total / gigabyte).toFixed(1)} GB`
  const fix = 'free some space, or use a larger disk'
  if (free < gigabyte / 10) return wrong(about, left, fix)
  if (files > 0 && freeFiles / files < 0.01) return wrong(about, `the disk of ${folder} has no free inodes`, fix)
  if (free < gigabyte || free / total < 0.05) return warning(about, left, fix)
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
