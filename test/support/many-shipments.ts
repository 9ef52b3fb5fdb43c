import type { Database } from '../../src/database/database.js'

const hour = 3_600_000_000

/**
 * Copies the shipments of an account inside the database, with new identifiers, until there are many. Each copy is older than
 * the previous one by the given number of microseconds: with an hour, copies form runs of a hundred similar shipments.
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
