import { createReadStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import type { ImportLine } from '../../src/contract/import-line.js'
import { demoLines } from '../../src/sandbox/demo.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { line } from '../support/account.js'
import { accountOf, bytesOf, importInto, keysOf, startRoundTrip } from '../support/round-trip.js'

/** An account that leaves one database and enters another answers as before, byte for byte. */

const { before, after, folder, expectSameResponses } = await startRoundTrip()
const longTimeout = { timeout: 900_000 }
// In each of two accounts; `npm run soak:export` asks for 5,000.
const shipments = Number(process.env.WAYBILL_TEST_SHIPMENTS ?? 150)

test('the demo, with an order that a customer created, comes back the same', longTimeout, async () => {
  const lines: ImportLine[] = []
  for await (const each of demoLines('2026-03-01')) lines.push(each)
  await importInto(before, bytesOf(lines), folder)
  const [key] = await keysOf(before, ['demo'])
  for (const reference of ['Z/first', 'A/second']) {
    const created = await fetch(`${before.baseUrl}/v1/purchaseOrders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reference, product_lines: [line()] }),
    })
    expect(created.status).toBe(201)
  }
  await importInto(
    before,
    bytesOf([{ kind: 'shipment', account: 'demo', data: { svc_shipment_id: 'UNDATED' } }]),
    folder,
  )
  await expectSameResponses(['demo', 'demo-second', 'demo-empty'])
})

test('generated accounts come back the same', longTimeout, async () => {
  const lines = [...generateLines({ accounts: 2, shipments, seed: 'export', today: '2026-03-01' })]
  await importInto(before, bytesOf(lines), folder)
  await expectSameResponses(lines.filter(({ kind }) => kind === 'account').map(({ account }) => account))
})

test('what is imported again from its own export is unchanged', longTimeout, async () => {
  const slug = 'demo-second'
  const again = await mkdtemp(join(folder, 'again-'))
  await exportTo(again, after.db, after.files, await accountOf(after, slug))
  const { summary } = await importInto(after, createReadStream(join(again, 'lines.ndjson')), again)
  const tallies = Object.values(summary.kinds)
  expect(tallies.reduce((sum, { created, updated }) => sum + created + updated, 0)).toBe(0)
  expect(tallies.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(summary.lines)
})
