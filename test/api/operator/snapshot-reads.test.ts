import { afterAll, expect, test } from 'vitest'
import type { ShipmentVersion } from '../../../src/contract/operator/shipments.js'
import { openDatabase, type TransactionSql } from '../../../src/database/database.js'
import { commitWithin } from '../../../src/ledger/commit.js'
import { startForwarding } from '../../support/forwarder.js'
import { until } from '../../support/program.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

/** Reads use one snapshot, and as-of reads do not block others. A table lock makes reads stop at a known point. */

const service = await serviceOnNewDatabase('moments')
const holder = openDatabase({ url: service.url }, { connections: 1 })
afterAll(() => holder.end())

type Held = { sql: TransactionSql; waiting(): Promise<number> }

/** Locks a table while the work runs. */
async function whileLocking(table: 'shipments' | 'changes', work: (held: Held) => Promise<void>): Promise<void> {
  await holder.begin(async (sql) => {
    await sql`lock table ${sql(table)} in access exclusive mode`
    const waiting = async () =>
      (await sql`select from pg_locks where not granted and relation = ${table}::regclass`).length
    await work({ sql, waiting })
  })
}

/** Renames the shipment, as a write does. */
async function rename(sql: TransactionSql, account: number, { record }: ShipmentVersion, name: string) {
  await commitWithin(sql, account, 'test', async (tx) => {
    tx.put('shipment', [{ record: { ...record, name }, before: record }])
  })
}

test.each([
  ['one shipment', 'shipments'],
  ['a list', 'changes'],
] as const)('a read of %s that overlaps a write returns the earlier state, in record and body', async (what, table) => {
  const { id: account, work, shipment } = await startForwarding(service)
  const svc_shipment_id = await shipment({ name: 'A' })
  const read = async (): Promise<ShipmentVersion> =>
    what === 'a list'
      ? ((await work('listShipments')).body[0] as ShipmentVersion)
      : (await work('getShipment', { params: { svc_shipment_id } })).body
  const before = await read()
  let reading: Promise<ShipmentVersion> | undefined
  await whileLocking(table, async ({ sql, waiting }) => {
    reading = read()
    await until(async () => (await waiting()) === 1)
    await rename(sql, account, before, 'B')
  })
  const overtaken = (await reading) as ShipmentVersion
  expect([overtaken.record.name, overtaken.shown?.name]).toEqual(['A', 'A'])
  const after = await read()
  expect([after.record.name, after.shown?.name]).toEqual(['B', 'B'])
})

test('two as-of reads run at a time: connections stay free for customers, and queued reads get their turn', async () => {
  const { work, call, shipment, lastChange } = await startForwarding(service)
  await shipment({ name: 'A' })
  const as_of = await lastChange()
  const reading: Promise<{ status: number }>[] = []
  await whileLocking('changes', async ({ waiting }) => {
    reading.push(...Array.from({ length: 8 }, () => work('listShipments', { query: { as_of, skip: 0, take: 20 } })))
    await until(async () => (await waiting()) >= 2)
    expect((await call('listShipments')).body).toHaveLength(1)
    expect(await waiting()).toBe(2)
  })
  expect((await Promise.all(reading)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
})

test('an as-of read that takes too long is refused with 503 and Retry-After, and releases its slot', async () => {
  const { work, shipment, lastChange } = await startForwarding(service)
  const params = { svc_shipment_id: await shipment({ name: 'A' }) }
  const query = { as_of: await lastChange() }
  const read = () => work('getShipment', { params, query })
  await whileLocking('changes', async () => {
    for (const refused of await Promise.all([read(), read()])) {
      expect(refused).toBeRefused('service_unavailable')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
  const again = await Promise.all([read(), read(), read(), work('getShipment', { params })])
  expect(again.map(({ status, body }) => [status, body.record.name])).toEqual(again.map(() => [200, 'A']))
})
