import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountId } from '../src/database/account-id.js'
import { asJson, type Database, type TransactionSql } from '../src/database/database.js'
import { migrate } from '../src/database/migrate.js'
import { recordPurchaseOrder, renderPurchaseOrder } from '../src/domain/purchase-orders/purchase-order.js'
import { generateLines } from '../src/sandbox/generate.js'
import { createRandom } from '../src/sandbox/random.js'
import { type DatabaseServer, urlOf } from './database-server.js'
import { tenLineOrder } from './sample-orders.js'
import { runImport, writeLines } from './waybill-program.js'

/**
 * Rows in large numbers: some shipments are generated and imported, and then copied inside the database, each copy
 * with an identifier of its own.
 */

export type Share = { account_id: AccountId; count: number }

/** Creates temporary tables of what `fillShipments` and `fillOrders` copy, for the session. */
export async function createPatterns(db: Database, server: DatabaseServer, count: number): Promise<void> {
  const shipments = await makeShipments(server, count)
  await db`
    create temporary table pattern_shipments as
    select * from jsonb_to_recordset(${asJson(shipments)}::text::jsonb)
      as pattern (place integer, id text, newest_first bigint, status text, body text, record text)`
  const random = createRandom('orders of the benchmark')
  const orders = Array.from({ length: 100 }, (_, place) => {
    const record = recordPurchaseOrder(tenLineOrder('REFERENCE', `Supplier ${place}`, random))
    return { place, record: JSON.stringify(record), body: JSON.stringify(renderPurchaseOrder(record, [])) }
  })
  await db`
    create temporary table pattern_orders as
    select * from jsonb_to_recordset(${asJson(orders)}::text::jsonb) as pattern (place integer, record text, body text)`
}

// In a database of its own: the account that they are imported into is not one of the benchmark's.
async function makeShipments(server: DatabaseServer, count: number): Promise<Record<string, unknown>[]> {
  await server.drop('patterns')
  await server.create('patterns')
  const db = server.open('patterns', 1)
  try {
    await migrate(db)
    // Of twice as many the longer half is taken: these have about 3 KB each.
    await importShipments(urlOf(server.place('patterns')), 2 * count)
    return await db`
      with longest as (
        select account_id, svc_shipment_id as id, newest_first, status, body from shipments
        order by octet_length(body) desc limit ${count}
      )
      select row_number() over (order by newest_first, longest.id)::integer - 1 as place,
        longest.id, newest_first, status, body, changes.record
      from longest join changes on changes.account_id = longest.account_id and changes.kind = 'shipment'
        and changes.id = longest.id and changes.record is not null`
  } finally {
    await db.end()
    await server.drop('patterns')
  }
}

async function importShipments(databaseUrl: string, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'))
  const file = join(folder, 'lines.ndjson')
  try {
    await writeLines(file, generateLines({ accounts: 1, shipments: count, seed: 'bench', today: '2026-03-01' }))
    await runImport(file, { databaseUrl, dataFolder: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function fillShipments(db: Database, shares: Share[]): Promise<void> {
  await db.begin(async (sql) => {
    await sql`
      create temporary table copied_shipments on commit drop as
      select account_id, 'SHP-' || upper(lpad(to_hex(number), 7, '0')) as id, place
      from (
        select account_id, number % (select count(*) from pattern_shipments) as place, row_number() over () as number
        from jsonb_to_recordset(${asJson(shares)}::text::jsonb) as share (account_id integer, count integer),
          generate_series(1, count) as number
      ) copied`
    await sql`
      insert into shipments (account_id, svc_shipment_id, newest_first, status, revision, body)
      select account_id, copied.id, newest_first, status, 3, replace(body, pattern.id, copied.id)
      from copied_shipments copied join pattern_shipments pattern using (place)`
    await sql`
      insert into changes (account_id, kind, id, revision, author, what, record)
      select account_id, 'shipment', copied.id, 3, 'bench', 'created', replace(record, pattern.id, copied.id)
      from copied_shipments copied join pattern_shipments pattern using (place)`
    await raiseRevisions(sql, shares)
  })
}

/** Named `PO-000001` and so on in each account; the first is the newest. */
export async function fillOrders(db: Database, shares: Share[]): Promise<void> {
  await db.begin(async (sql) => {
    await sql`
      create temporary table copied_orders on commit drop as
      select account_id, number, 'PO-' || lpad(number::text, 6, '0') as reference, number % 100 as place
      from jsonb_to_recordset(${asJson(shares)}::text::jsonb) as share (account_id integer, count integer),
        generate_series(1, count) as number`
    await sql`
      insert into purchase_orders (account_id, reference, newest_first, revision, body)
      select account_id, copied.reference, newest_first(now()) + number, 3, replace(body, 'REFERENCE', copied.reference)
      from copied_orders copied join pattern_orders using (place)`
    await sql`
      insert into changes (account_id, kind, id, revision, author, what, record)
      select account_id, 'purchase_order', copied.reference, 3, 'bench', 'created',
        replace(record, 'REFERENCE', copied.reference)
      from copied_orders copied join pattern_orders using (place)`
    await raiseRevisions(sql, shares)
  })
}

async function raiseRevisions(sql: TransactionSql, shares: Share[]): Promise<void> {
  const ids = shares.map(({ account_id }) => account_id)
  await sql`
    update accounts set revision = 3, shipment_revision = 3, purchase_order_revision = 3, changed_at = now()
    where account_id = any(${ids})`
}
