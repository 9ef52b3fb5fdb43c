import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader } from '../database/database.js'
import type { InboundPart } from '../domain/inbound/inbound-parts.js'
import type { ShipmentArrival } from '../domain/inbound/shipment-arrival.js'
import type { RowWrite } from './write.js'

/** The rows of what arrives when: written with the bodies of shipments and orders, from which they follow. */

/**
 * Keeps what differs from the newest row of a shipment, and updates the order lines on it. The newest row is found by the whole
 * primary key: ordered by the revision only, the planner may scan the index of revisions.
 */
export function saveArrivals(
  { sql, revision }: RowWrite,
  account_id: AccountId,
  rows: { svc_shipment_id: string; arrival: ShipmentArrival }[],
): void {
  sql.gathering.write(
    insertArrivals,
    rows.map(({ svc_shipment_id, arrival }) => ({ ...arrival, account_id, revision, svc_shipment_id })),
  )
}

type ArrivalRow = ShipmentArrival & { account_id: AccountId; revision: number; svc_shipment_id: string }

function insertArrivals(sql: Reader, rows: ArrivalRow[]) {
  const given = asJson(rows, (row) => ({
    account_id: row.account_id,
    revision: row.revision,
    svc_shipment_id: row.svc_shipment_id,
    shipment_name: row.shipment_name,
    expected_on: row.expected_date,
    date_status: row.date_status,
    date_of: row.date_of,
    delivered: row.is_delivered,
    cancelled: row.is_cancelled,
    location: row.location,
    vessel: row.vessel,
  }))
  return sql`
    with changed as (
      select given.*
      from jsonb_to_recordset(${given}::text::jsonb) as given (
        account_id integer, revision bigint, svc_shipment_id text, shipment_name text, expected_on date, date_status text,
        date_of text, delivered boolean, cancelled boolean, location text, vessel text)
      left join lateral (
        select * from arrivals
        where account_id = given.account_id and svc_shipment_id = given.svc_shipment_id
        order by svc_shipment_id desc, revision desc limit 1
      ) stored on true
      where (given.shipment_name, given.expected_on, given.date_status, given.date_of, given.delivered, given.cancelled,
          given.location, given.vessel)
        is distinct from (stored.shipment_name, stored.expected_on, stored.date_status, stored.date_of, stored.delivered,
          stored.cancelled, stored.location, stored.vessel)
    ), kept as (
      insert into arrivals (account_id, revision, svc_shipment_id, shipment_name, expected_on, date_status, date_of,
        delivered, cancelled, location, vessel)
      select changed.* from changed
      on conflict (account_id, svc_shipment_id, revision) do update
      set shipment_name = excluded.shipment_name, expected_on = excluded.expected_on, date_status = excluded.date_status,
        date_of = excluded.date_of, delivered = excluded.delivered, cancelled = excluded.cancelled,
        location = excluded.location, vessel = excluded.vessel
    )
    update inbound
    set shipment_name = changed.shipment_name, expected_on = changed.expected_on, date_status = changed.date_status,
      date_of = changed.date_of, delivered = changed.delivered, location = changed.location, vessel = changed.vessel
    from changed
    where inbound.account_id = changed.account_id and inbound.svc_shipment_id = changed.svc_shipment_id`
}

type OrderParts = { reference: string; parts: InboundPart[] }

/**
 * Writes the rows of orders that this write creates: none is assigned, and none of them has rows. Without what `saveInbound`
 * does for stored rows, which takes PostgreSQL half as much again (docs/decisions/2026-11-18-cost-of-a-write.md).
 */
export function insertInbound({ sql }: Pick<RowWrite, 'sql'>, account_id: AccountId, orders: OrderParts[]): void {
  sql.gathering.write(
    insertLines,
    orders.map(({ reference, parts }) => ({ account_id, reference, parts })),
  )
}

function insertLines(sql: Reader, orders: (OrderParts & { account_id: AccountId })[]) {
  const given = asJson(orders, ({ account_id, reference, parts }) => ({
    account_id,
    reference,
    // All parts of an order have the same.
    supplier: parts[0]?.supplier,
    desired_on: parts[0]?.desired_date,
    lines: parts.map((part) => ({
      line: part.line,
      sku: part.sku,
      name: part.name,
      quantity: part.quantity,
      words: wordsOf(part),
    })),
  }))
  return sql`
    insert into inbound (account_id, reference, line, svc_shipment_id, sku, name, supplier, desired_on, quantity, shipped,
      words, delivered)
    select account_id, reference, line, '', sku, name, supplier, desired_on, quantity, 0, words, false
    from jsonb_to_recordset(${given}::text::jsonb)
      as created (account_id integer, reference text, supplier text, desired_on date, lines jsonb)
    cross join lateral jsonb_to_recordset(lines)
      as ordered (line text, sku text, name text, quantity double precision, words text)`
}

function wordsOf({ sku, name = '', reference, supplier = '' }: InboundPart): string {
  return `${sku} ${name} ${reference} ${supplier}`.toLowerCase()
}

/**
 * Replaces the rows of orders. A part that is not assigned has an empty `svc_shipment_id`. The stored rows of an order are
 * ordered by the primary key: without, a plan made while the table is empty may use another index and read all rows of the
 * account for each order.
 */
export function saveInbound({ sql }: Pick<RowWrite, 'sql'>, account: AccountId, orders: OrderParts[]): Fragment {
  const references = orders.map(({ reference }) => reference)
  const given = asJson(
    orders.flatMap(({ parts }) => parts),
    (part) => ({
      reference: part.reference,
      line: part.line,
      svc_shipment_id: part.svc_shipment_id ?? '',
      sku: part.sku,
      name: part.name,
      supplier: part.supplier,
      desired_on: part.desired_date,
      quantity: part.quantity,
      shipped: part.shipped_quantity,
      words: wordsOf(part),
    }),
  )
  return sql`
    with given as materialized (
      select * from jsonb_to_recordset(${given}::text::jsonb) as given (
        reference text, line text, svc_shipment_id text, sku text, name text, supplier text, desired_on date,
        quantity double precision, shipped double precision, words text)
    ), gone as (
      delete from inbound where ctid = any(array(
        select stored.ctid
        from unnest(${references}::text[]) as wanted (reference) cross join lateral (
          select ctid, line, svc_shipment_id from inbound
          where account_id = ${account} and reference = wanted.reference
          order by reference, line, svc_shipment_id offset 0
        ) stored
        where (wanted.reference, line, svc_shipment_id) not in (select reference, line, svc_shipment_id from given)))
    )
    insert into inbound (account_id, reference, line, svc_shipment_id, sku, name, supplier, desired_on, quantity, shipped,
      words, shipment_name, expected_on, date_status, date_of, delivered, location, vessel)
    select ${account}, given.*, arrival.shipment_name, arrival.expected_on, arrival.date_status, arrival.date_of,
      coalesce(arrival.delivered, false), arrival.location, arrival.vessel
    from given
    left join lateral (
      select * from arrivals
      where account_id = ${account} and svc_shipment_id = given.svc_shipment_id and given.svc_shipment_id <> ''
      order by svc_shipment_id desc, revision desc limit 1
    ) arrival on true
    on conflict (account_id, reference, line, svc_shipment_id) do update
    set sku = excluded.sku, name = excluded.name, supplier = excluded.supplier, desired_on = excluded.desired_on,
      quantity = excluded.quantity, shipped = excluded.shipped, words = excluded.words
    where (inbound.sku, inbound.name, inbound.supplier, inbound.desired_on, inbound.quantity, inbound.shipped)
      is distinct from (excluded.sku, excluded.name, excluded.supplier, excluded.desired_on, excluded.quantity,
        excluded.shipped)`
}
