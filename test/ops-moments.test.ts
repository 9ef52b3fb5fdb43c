import { afterAll, expect, test } from 'vitest'
import type { ShipmentVersion } from '../src/contract/ops/shipments.js'
import { openDatabase, type TransactionSql } from '../src/storage/database.js'
import { saveShipments } from '../src/storage/shipments.js'
import { writeTo } from '../src/storage/transaction.js'
import { startForwarding } from './support/forwarder.js'
import { until } from './support/program.js'
import { serviceOnNewDatabase } from './support/round-trip.js'

/** What a read tells is of one moment; reads of the past hold up nobody. A table is held, so that reads stop there. */

const service = await serviceOnNewDatabase('moments')
const holder = openDatabase({ url: service.url }, { connections: 1 })
afterAll(() => holder.end())

type Held = { sql: TransactionSql; waiting(): Promise<number> }

/** Keeps everybody else from a table; they go on when the work is done. */
async function whileHolding(table: 'shipments' | 'changes', work: (held: Held) => Promise<void>): Promise<void> {
  await holder.begin(async (sql) => {
    await sql`lock table ${sql(table)} in access exclusive mode`
    const waiting = async () =>
      (await sql`select from pg_locks where not granted and relation = ${table}::regclass`).length
    await work({ sql, waiting })
  })
}

/** The same shipment under another name, as a write leaves it. */
async function rename(sql: TransactionSql, account: number, { id, record, shown }: ShipmentVersion, name: string) {
  const { status, created_at } = record
  const body = JSON.stringify({ ...shown, name })
  const row = { svc_shipment_id: id, created_at, stored_at: undefined, status, body, what: 'updated' as const }
  await writeTo(sql, account, 'test', (tx) =>
    saveShipments(tx, account, [{ ...row, record: JSON.stringify({ ...record, name }) }]),
  )
}

test.each([
  ['one shipment', 'shipments'],
  ['a list', 'changes'],
] as const)(
  'a read of %s that a write overtakes tells what was before it, record and body alike',
  async (what, table) => {
    const { id: account, work, shipment } = await startForwarding(service)
    const svc_shipment_id = await shipment({ name: 'A' })
    const read = async (): Promise<ShipmentVersion> =>
      what === 'a list'
        ? ((await work('listShipments')).body[0] as ShipmentVersion)
        : (await work('getShipment', { params: { svc_shipment_id } })).body
    const before = await read()
    let reading: Promise<ShipmentVersion> | undefined
    await whileHolding(table, async ({ sql, waiting }) => {
      reading = read()
      await until(async () => (await waiting()) === 1)
      await rename(sql, account, before, 'B')
    })
    const overtaken = (await reading) as ShipmentVersion
    expect([overtaken.record.name, overtaken.shown?.name]).toEqual(['A', 'A'])
    const after = await read()
    expect([after.record.name, after.shown?.name]).toEqual(['B', 'B'])
  },
)

test('two reads of the past are done at a time: connections are left to customers, and the others get their turn', async () => {
  const { work, call, shipment, lastChange } = await startForwarding(service)
  await shipment({ name: 'A' })
  const as_of = await lastChange()
  const reading: Promise<{ status: number }>[] = []
  await whileHolding('changes', async ({ waiting }) => {
    reading.push(...Array.from({ length: 8 }, () => work('listShipments', { query: { as_of, skip: 0, take: 20 } })))
    await until(async () => (await waiting()) >= 2)
    expect((await call('listShipments')).body).toHaveLength(1)
    expect(await waiting()).toBe(2)
  })
  expect((await Promise.all(reading)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
})

test('a read of the past that takes too long is refused with 503 and a time to try again, and gives up its place', async () => {
  const { work, shipment, lastChange } = await startForwarding(service)
  const params = { svc_shipment_id: await shipment({ name: 'A' }) }
  const query = { as_of: await lastChange() }
  const read = () => work('getShipment', { params, query })
  await whileHolding('changes', async () => {
    for (const refused of await Promise.all([read(), read()])) {
      expect(refused).toBeRefused('service_unavailable')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
  const again = await Promise.all([read(), read(), read(), work('getShipment', { params })])
  expect(again.map(({ status, body }) => [status, body.record.name])).toEqual(again.map(() => [200, 'A']))
})
