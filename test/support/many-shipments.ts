import type { Database } from '../../src/storage/database.js'

const hour = 3_600_000_000

/**
 * Copies what an account has inside the database, under identifiers of their own, until there are many. The copies are
 * older than what they are made of, each by so many microseconds more: an hour makes runs of a hundred that are alike,
 * with little else between them.
 */
export async function multiplyShipments(
  db: Database,
  { id }: { id: number },
  copies: number,
  apart = hour,
): Promise<void> {
  await db.begin(async (sql) => {
    await sql`
      insert into shipments (account_id, svc_shipment_id, newest_first, status, revision, body)
      select account_id, svc_shipment_id || '-' || copy, newest_first + copy * ${apart}::bigint, status, revision,
        replace(body, '"svc_shipment_id":"' || svc_shipment_id || '"',
          '"svc_shipment_id":"' || svc_shipment_id || '-' || copy || '"')
      from shipments cross join generate_series(1, ${copies}) as copy where account_id = ${id}`
    await sql`
      insert into purchase_orders (account_id, reference, newest_first, revision, body)
      select account_id, reference || '-' || copy, newest_first + copy * ${apart}::bigint, revision,
        replace(body, '"po_number":"' || reference || '"', '"po_number":"' || reference || '-' || copy || '"')
      from purchase_orders cross join generate_series(1, ${copies}) as copy where account_id = ${id}`
  })
}
