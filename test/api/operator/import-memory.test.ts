import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { sendPieces } from '../../support/forms.js'
import { checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../../support/own-database.js'
import { peakMemory } from '../../support/peak-memory.js'
import { startServing, temporaryFolder } from '../../support/program.js'
import { startService } from '../../support/service.js'

/** The memory that an import takes in the service. */

// On a database of its own: background tasks for other accounts would take memory, too.
const service = await startService({ db: await ownDatabase('import_memory') })

test.runIf(process.platform === 'linux')(
  'the longest line with a document takes less than 64 MiB, and a longer one is refused with the way to send it (needs Linux)',
  async () => {
    const { slug } = await newAccount(service)
    const { key, ops } = await newOperator(service)
    const { baseUrl, pid } = await startServing({
      env: { DATABASE_URL: ownDatabaseUrl('import_memory'), WAYBILL_DATA_DIR: await temporaryFolder() },
    })
    const send = async (megabytes: number) => {
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(megabytes * 1024 * 1024 - 1024)])
      const id = randomUUID()
      const data = { id, name: 'a.pdf', content_base64: content.toString('base64') }
      const response = await fetch(`${baseUrl}/ops/v1/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
        body: JSON.stringify({ kind: 'document', account: slug, data }),
      })
      return { status: response.status, text: await response.text(), id, size: content.length }
    }
    for (let round = 0; round < 5; round += 1) expect((await send(1)).status).toBe(200)
    const before = await peakMemory(pid)
    const { status, id, size } = await send(12)
    expect(status).toBe(200)
    expect((await peakMemory(pid)) - before).toBeLessThan(64)
    expect((await ops('getDocument', slug, { params: { id } })).body.record.size).toBe(size)
    const refused = await send(13)
    expect(refused).toBeRefused('payload_too_large')
    expect(refused.text).toContain('POST /ops/v1/accounts/{account}/documents')
  },
)

test.runIf(process.platform === 'linux')('a long body is imported in bounded memory (needs Linux)', async () => {
  const { slug, call } = await newAccount(service)
  const { key } = await newOperator(service)
  const { baseUrl, pid } = await startServing({
    env: { DATABASE_URL: ownDatabaseUrl('import_memory'), WAYBILL_DATA_DIR: await temporaryFolder() },
    nodeOptions: ['--max-old-space-size=112'],
  })
  const filler = 'x'.repeat(30_000)
  function* manyLines(count: number): Generator<Buffer> {
    for (let index = 0; index < count; index += 100) {
      const lines = Array.from({ length: 100 }, (_, offset) => {
        const data = { svc_shipment_id: `S-${index + offset}`, specific_instructions: filler }
        return `${JSON.stringify({ kind: 'shipment', account: slug, data })}\n`
      })
      yield Buffer.from(lines.join(''))
    }
  }
  const check = { path: '/ops/v1/import?check=true', key, type: 'application/x-ndjson' }
  const first = await checkedOperatorResponse('import', await sendPieces({ baseUrl }, check, manyLines(400)))
  expect(first.body).toMatchObject({ lines: 400, rejected: 0 })
  const before = await peakMemory(pid)
  // 60 MB, five times as much.
  const result = await checkedOperatorResponse('import', await sendPieces({ baseUrl }, check, manyLines(2000)))
  expect(result.body).toMatchObject({ lines: 2000, rejected: 0, kinds: { shipment: { created: 2000 } } })
  expect((await peakMemory(pid)) - before).toBeLessThan(40)
  expect(await call('listShipments')).toBeRefused('no_shipments_found')
})
