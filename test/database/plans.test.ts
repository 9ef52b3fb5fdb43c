import { expect, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { serviceOnNewDatabase } from '../support/round-trip.js'
import { startService } from '../support/service.js'

/** Planning takes the server several times as long as executing: frequent reads must not be planned each time. */

const service = await serviceOnNewDatabase('plans', { cacheBytes: 0 })
const remembering = await startService({ db: service.db, cacheBytes: 1_000_000 })
const { db } = service

// Enough rows for index scans, and for custom plans that look cheaper than the generic one.
const many = Array.from({ length: 600 }, (_, index) => index)

test('the statements of frequent reads are planned a few times per connection, and then no more', async () => {
  const { key, forwarder } = await newAccount(service)
  await forwarder.imports(
    ...many.map((id) => ({ kind: 'shipment' as const, data: { svc_shipment_id: `S-${id}`, name: 'x' } })),
    ...many.map((id) => ({
      kind: 'tracking' as const,
      data: { svc_shipment_id: `S-${id}`, status: 'pending' as const },
    })),
    ...many.map((id) => ({
      kind: 'purchase_order' as const,
      data: { reference: `P-${id}`, product_lines: [{ ordered_quantity: 1, product: { sku: 'a' } }] },
    })),
  )
  await db`insert into accounts (slug, name) select 'other-' || n, 'Other' from generate_series(1, ${many.length}) n`
  await db`
    insert into keys (account_id, key_id, hash, hint, scopes)
    select account_id, 'key_' || slug, sha256(slug::bytea), 'x', '{read}' from accounts where slug like 'other-%'`
  await db`vacuum analyze`

  const headers = { authorization: `Bearer ${key}` }
  for (const { baseUrl } of [service, remembering]) {
    for (const path of ['shipments/S-7', 'shipments?take=10', 'purchaseOrders/P-7', 'tracking/S-7']) {
      for (let turn = 0; turn < 40; turn += 1) {
        const response = await fetch(`${baseUrl}/v1/${path}`, { headers })
        expect((await response.text()).length).toBeGreaterThan(10)
        expect(response.status).toBe(200)
      }
    }
  }

  const seen = await plansOnAllConnections()
  for (const table of [
    'keys',
    'accounts where account_id = known',
    'shipments using',
    'wanted.take',
    'tracking using',
  ]) {
    expect(
      seen.some(({ statement }) => statement.includes(table)),
      table,
    ).toBe(true)
  }
  expect(seen.filter(({ custom_plans }) => custom_plans > 5)).toEqual([])
  expect(seen.some(({ generic_plans }) => generic_plans > 0)).toBe(true)
})

test('after a large import, statements are planned again at once', async () => {
  const { id, forwarder } = await newAccount(service)
  const more = Array.from({ length: 1000 }, (_, index) => ({ svc_shipment_id: `S-${index}`, name: 'x' }))
  await forwarder.imports(...more.map((data) => ({ kind: 'shipment' as const, data })))
  const [row] = await db<{ known: number; there: number }[]>`
    select (select reltuples from pg_class where oid = 'shipments'::regclass) as known, count(*) as there from shipments`
  expect(row?.there).toBeGreaterThanOrEqual(more.length)
  expect(row?.known).toBe(row?.there)
  expect(
    await db`select from pg_stats where tablename = 'shipments' and attname = 'account_id'
    and most_common_vals::text::integer[] @> array[${id}::integer]`,
  ).toHaveLength(1)
})

type Planned = { connection: number; statement: string; custom_plans: number; generic_plans: number }

async function plansOnAllConnections(): Promise<Planned[]> {
  // While one connection is busy, the next query uses another.
  const responses = await Promise.all(
    many.slice(0, 12).map(
      () => db<Planned[]>`
        select pg_backend_pid() as connection, statement, custom_plans, generic_plans, pg_sleep(0.02)
        from pg_prepared_statements where statement like '%with ordinality%'`,
    ),
  )
  return responses.flat()
}
