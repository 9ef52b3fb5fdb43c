import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openAnswerFile } from '../src/http/answer-file.js'
import { openDatabase } from '../src/storage/database.js'
import { newAccount } from './support/account.js'
import { countingQueries } from './support/counting.js'
import { startService } from './support/service.js'

/** A service whose memory holds fewer answers than are asked for: long ones are sent from its file. */

const counted = countingQueries(openDatabase({ url: inject('databaseUrl') }, { connections: 1 }))
const folder = await mkdtemp(join(tmpdir(), 'waybill-answers-'))
const megabyte = 1024 * 1024
const service = await startService({
  db: counted.db,
  answerMemory: megabyte,
  answerFile: await openAnswerFile(folder, 20 * megabyte),
})
const forgetful = await startService({ answerMemory: 0 })

// Each of some 60 KB.
const pages = Array.from({ length: 60 }, (_, index) => `/v1/shipments?take=20&skip=${index}`)

async function newReader() {
  const { key, forwarder } = await newAccount(service)
  const instructions = 'Mind the step. '.repeat(200)
  await forwarder.imports(
    ...Array.from({ length: 80 }, (_, index) => ({
      kind: 'shipment' as const,
      data: { svc_shipment_id: `S-${index}`, specific_instructions: instructions },
    })),
  )
  const read = (path: string, headers: Record<string, string> = {}, { baseUrl } = service) =>
    fetch(baseUrl + path, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...headers },
    })
  const readAll = async (from = service) => {
    const bodies: string[] = []
    for (const page of pages) bodies.push(await (await read(page, {}, from)).text())
    return bodies
  }
  return { forwarder, read, readAll }
}

test('what no longer fits into the memory is sent as it was, without a body being read from the database again', async () => {
  const { readAll } = await newReader()
  const first = await readAll()
  const before = counted.countOf('from shipments')
  expect(before).toBeGreaterThan(pages.length / 2)
  expect(await readAll()).toEqual(first)
  // At most a few that were on their way to the file.
  expect(counted.countOf('from shipments') - before).toBeLessThan(10)
})

test('its validator is known without its bytes; compressed it is sent as well', async () => {
  const { read, readAll } = await newReader()
  const [page = ''] = pages
  const [first = ''] = await readAll()
  const response = await read(page)
  expect(await response.text()).toBe(first)
  const unchanged = await read(page, { 'if-none-match': response.headers.get('etag') ?? '' })
  expect(unchanged.status).toBe(304)
  const compressed = await read(page, { 'accept-encoding': 'gzip' })
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(await compressed.text()).toBe(first)
})

test('what has changed is never sent from it', async () => {
  const { forwarder, readAll } = await newReader()
  const before = await readAll()
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-0', name: 'Renamed' } })
  const after = await readAll()
  expect(after).not.toEqual(before)
  expect(after).toEqual(await readAll(forgetful))
})
