import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { line, newAccount } from '../support/account.js'
import { startForwarding } from '../support/forwarder.js'
import { countRoundTrips } from '../support/round-trips.js'
import { startService } from '../support/service.js'

/** Every write goes through `commit()`, which waits for the database as rarely as it can. */

const roundTrips = await countRoundTrips(inject('databaseUrl'))
const db = openDatabase({ url: roundTrips.url }, { connections: 1 })
const service = await startService({ db })
afterAll(async () => {
  await db.end({ timeout: 1 })
  roundTrips.close()
})

test('creating an order takes at most three round trips under the lock, with an idempotency key too', async () => {
  const { call } = await newAccount(service)
  const create = (reference: string, idempotencyKey?: string) =>
    call('createPurchaseOrder', {
      body: { reference, product_lines: [line()] },
      ...(idempotencyKey && { idempotencyKey }),
    })
  expect((await create('A')).status).toBe(201)
  expect([2, 3]).toContain(roundTrips.ofLastTransaction())
  expect((await create('B', 'key-b')).status).toBe(201)
  expect([2, 3]).toContain(roundTrips.ofLastTransaction())
})

test('adding a tracking event takes at most six round trips under the lock', async () => {
  const { work, shipment } = await startForwarding(service)
  const svc_shipment_id = await shipment({ name: 'Lamps' })
  const params = { svc_shipment_id }
  const steps = [{ type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } }]
  expect((await work('planTracking', { params, body: { steps } })).status).toBe(200)
  const body = { step: '1', description: 'Gate in', status: 'actual' as const, date: '2026-03-04T10:00:00+08:00' }
  expect((await work('addEvent', { params, body })).status).toBe(201)
  expect([3, 4, 5, 6]).toContain(roundTrips.ofLastTransaction())
})

test('adding a tracking event reads no record of the shipment again that the write has read before', async () => {
  const { work, shipment } = await startForwarding(service)
  const params = { svc_shipment_id: await shipment({ name: 'Lamps' }) }
  const steps = [{ type: 'origin_port' as const, port: { unlocode: 'CN/SHA' } }]
  expect((await work('planTracking', { params, body: { steps } })).status).toBe(200)
  const body = { step: '1', description: 'Gate in', status: 'actual' as const }
  for (const day of ['04', '05', '06'])
    expect((await work('addEvent', { params, body: { ...body, date: `2026-03-${day}T10:00:00+08:00` } })).status).toBe(
      201,
    )
  // It took 22 when the write read again what it had stored.
  const statements = roundTrips.statementsOfLastTransaction()
  expect(statements).toBeGreaterThan(0)
  expect(statements).toBeLessThanOrEqual(18)
})

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.includes('migrations/'),
)
const textOf = (path: string) => readFileSync(join('src', path), 'utf8')

test('only the ledger writes the change log and raises revisions', () => {
  const writing =
    /insert into changes\b|update changes\b|delete from changes\b|update accounts\b[^`]*?\bset\b[^`]*?\brevision = /
  // An account that moves is given its revision in the other database.
  const others = new Set(['store/move/move-account.ts'])
  const writers = sources.filter((path) => writing.test(textOf(path)) && !others.has(path))
  expect(writers).toEqual(['ledger/revision-writes.ts'])
})

test('only the ledger stores the rows and bodies of resources', () => {
  const nouns =
    'shipments|purchase_orders|invoices|locations|tracking|tracking_entries|documents|assignments|payments|' +
    'exceptions|inbound|arrivals|document_proposals|conversation_messages|message_files'
  const writing = new RegExp(`(?:insert into|update|delete from) (?:${nouns})\\b`)
  const writers = sources.filter((path) => writing.test(textOf(path)))
  expect(writers.every((path) => path.startsWith('store/'))).toBe(true)
  // What writes there is named for it, and imported by the ledger alone.
  const imported =
    /import \{[^}]*\b(?:save|delete)(?:Shipments|PurchaseOrders|Invoices?|Locations|Tracking\w*|Documents?|Assignments?|Payments?)\b[^}]*\} from '[^']*store\//
  expect(sources.filter((path) => imported.test(textOf(path)) && !path.startsWith('ledger/'))).toEqual([])
})
