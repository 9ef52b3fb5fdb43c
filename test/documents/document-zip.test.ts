import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { documentFolder } from '../../src/documents/document-folder.js'
import { zipOf } from '../../src/usecases/documents/document-zip.js'

test('a zip whose document is missing fails the response that reads it, and not the process before it is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-zip-'))
  const hash = '0'.repeat(64)
  const zip = zipOf(documentFolder(folder), [{ path: 'bill.pdf', hash, size: 9 }])
  // Long enough for the missing file to be noticed, if anything read it.
  await sleep(100)
  await expect(buffer(zip)).rejects.toThrow('is missing')
  await rm(folder, { recursive: true })
})
