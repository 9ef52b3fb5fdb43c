import { readlinkSync } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { documentFolder } from '../../src/documents/document-folder.js'
import { newAccount } from '../support/account.js'
import { newOperator } from '../support/operator.js'
import { startServing, temporaryFolder } from '../support/program.js'
import { binaryFiles } from '../support/sample-files.js'
import { startService } from '../support/service.js'

const service = await startService()

test('a file that the disk stores only partly is refused, and nothing of it remains', async () => {
  const account = await newAccount(service)
  const dataFolder = await temporaryFolder()
  // Limits files of this process to 200 blocks of 512 bytes.
  const { baseUrl, kill, ended } = await startServing({
    env: { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: dataFolder },
    ulimit: '-f 200',
  })
  const { sendFile } = await newOperator({ ...service, baseUrl }, 'operations')
  const upload = (length: number) => {
    const bytes = Buffer.alloc(length, 7).fill(binaryFiles.pdf as Buffer, 0, 100)
    return sendFile('uploadDocument', account.slug, {}, { name: 'list.pdf', bytes })
  }
  const limit = 200 * 512
  for (const length of [limit + 1, limit + 10_000, 2 * limit]) {
    expect(await upload(length)).toBeRefused('service_unavailable')
    expect((await account.call('listDocuments')).body).toEqual([])
    expect(await readdir(join(dataFolder, 'documents'))).toEqual([])
  }
  const { body } = await upload(limit)
  const bytes = await (await fetch(body.shown?.link as string)).arrayBuffer()
  expect([bytes.byteLength, body.record.size]).toEqual([limit, limit])
  kill('SIGTERM')
  expect((await ended).stdout).toContain('EFBIG')
})

/** The paths that are synced from now on, and whether they had content then. */
async function watchSyncs(path: string) {
  const handle = await open(path)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const seen: { path: string; holds: (name: string) => boolean }[] = []
  const sync = prototype.sync
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const synced = readlinkSync(`/proc/self/fd/${this.fd}`)
    const names = new Set(await readdir(synced).catch(() => []))
    seen.push({ path: synced, holds: (name) => names.has(name) })
    return sync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
  return seen
}

test.runIf(process.platform === 'linux')(
  'a kept file is synced with its folder, whether the folder is new or old (needs Linux)',
  async () => {
    const above = await temporaryFolder()
    const folder = join(above, 'new', 'documents')
    const files = documentFolder(folder)
    const seen = await watchSyncs(above)

    /** Keeps a file; returns whether its folder was synced since, with this name in it. */
    async function keep(content: string) {
      seen.length = 0
      const intake = files.createIntake()
      const { hash } = await intake.add(Buffer.from(content))
      await intake.accept(hash)
      await intake.keepAccepted()
      const synced = [...seen]
      await intake.discard()
      const isDurable = (path: string, name: string) => synced.some((each) => each.path === path && each.holds(name))
      return { hash, place: hash.slice(0, 2), isDurable }
    }

    const first = await keep('first')
    expect(first.isDurable(above, 'new')).toBe(true)
    expect(first.isDurable(join(above, 'new'), 'documents')).toBe(true)
    for (const { hash, place, isDurable } of [first, await keep('second'), await keep('first')]) {
      expect(isDurable(folder, place)).toBe(true)
      expect(isDurable(join(folder, place), hash)).toBe(true)
    }
  },
)
