import type { AccountId } from '../../database/account-id.js'
import { asJson, type TransactionSql } from '../../database/database.js'
import { type LatenessFields, type StoredLateness, storedLateness } from '../../domain/shipments/lateness.js'
import { isLocationId } from '../locations.js'
import type { RowSource, SearchRow } from './search-tables.js'
import { sortKeyOf } from './search-words.js'

type ShipmentRow = SearchRow & {
  newest_first: string
  name: string | null
  status: string | null
  freight_mode: string | null
  origin: string | null
  destination: string | null
  departs_on: string | null
  arrives_on: string | null
  delivered_on: string | null
} & StoredLateness

/** The word by which shipments to or from a location are found. */
export function locationMark(id: number | string): string {
  return `@${id}`
}

export const shipmentRows: RowSource<ShipmentRow> = {
  facets: ['status', 'freight_mode', 'origin', 'destination'],
  read: readShipments,
  save: saveShipments,
}

type StoredShipment = Omit<ShipmentRow, keyof StoredLateness> & {
  lateness: LatenessFields
  locations: (string | null)[]
}

// `offset 0` makes PostgreSQL parse a body once, not once per field.
async function readShipments(sql: TransactionSql, account: AccountId, ids: string[]): Promise<ShipmentRow[]> {
  const rows = await sql<StoredShipment[]>`
    select id, newest_first::text as newest_first, name, status, freight_mode,
      route ->> 'origin_port_unlocode' as origin, route ->> 'destination_port_unlocode' as destination,
      departure as departs_on, arrival as arrives_on, delivery as delivered_on,
      jsonb_strip_nulls(jsonb_build_object('status', status, 'freight_type', freight_type,
        'desired_delivery_date', desired_delivery_date, 'main_tracking_dates', main_tracking_dates)) as lateness,
      jsonb_build_array(id, booking -> 'master_bill', booking -> 'house_bill', booking #> '{ocean_booking,booking_number}',
          booking #> '{ocean_booking,voyage}', booking #> '{air_booking,flight_number}',
          route -> 'origin_port_unlocode', route -> 'destination_port_unlocode')
        || jsonb_path_query_array(body, '$.cargo.containers[0 to 1999].container_number')
        || jsonb_path_query_array(body, '$.purchase_order_references[0 to 1999]')
        || jsonb_path_query_array(body, '$.invoice_references[0 to 1999]')
        || jsonb_path_query_array(body, '$.cargo.containers[0 to 1999].seal_number')
        || jsonb_path_query_array(body, '$.cargo.containers[0 to 1999].purchase_order_references[0 to 99]')
        as identifiers,
      jsonb_build_array(name, booking -> 'carrier', booking #> '{ocean_booking,vessel}') as names,
      jsonb_build_array(route -> 'pickup_location_id', route -> 'delivery_location_id') as locations
    from (
      select svc_shipment_id as id, newest_first, status, body::jsonb as body from shipments
      where account_id = ${account} and svc_shipment_id = any(${ids}) offset 0
    ) stored
    cross join lateral jsonb_to_record(body) as shown (
      name text, freight_mode text, freight_type text, desired_delivery_date text, route jsonb, main_tracking_dates jsonb,
      booking_information jsonb)
    cross join lateral (
      select left(main_tracking_dates #>> '{departure_date,date}', 10) as departure,
        left(main_tracking_dates #>> '{arrival_date,date}', 10) as arrival,
        left(main_tracking_dates #>> '{delivery_date,date}', 10) as delivery,
        coalesce(booking_information, '{}') as booking
    ) derived`
  return rows.map(({ lateness, locations, ...row }) => {
    const marks = locations.flatMap((id) => (id !== null && isLocationId(id) ? locationMark(id) : []))
    return { ...row, ...storedLateness(lateness), marks }
  })
}

async function saveShipments(
  sql: TransactionSql,
  account: AccountId,
  rows: (ShipmentRow & { words: string[] })[],
): Promise<void> {
  const given = asJson(rows, ({ identifiers: _identifiers, names: _names, marks: _marks, name, ...row }) => ({
    ...row,
    name_key: sortKeyOf(name),
  }))
  await sql`
    insert into shipment_search (
      account_id, svc_shipment_id, newest_first, name_key, status, freight_mode, origin, destination, departs_on,
      arrives_on, delivered_on, late_days, overdue_since, words)
    select ${account}, id, newest_first, name_key, status, freight_mode, origin, destination, departs_on, arrives_on,
      delivered_on, late_days, overdue_since, array_to_tsvector(words)
    from jsonb_to_recordset(${given}::text::jsonb) as given (
      id text, newest_first bigint, name_key text, status text, freight_mode text, origin text, destination text,
      departs_on date, arrives_on date, delivered_on date, late_days integer, overdue_since integer, words text[])
    on conflict (account_id, svc_shipment_id) do update
    set newest_first = excluded.newest_first, name_key = excluded.name_key, status = excluded.status,
      freight_mode = excluded.freight_mode, origin = excluded.origin, destination = excluded.destination,
      departs_on = excluded.departs_on, arrives_on = excluded.arrives_on, delivered_on = excluded.delivered_on,
      late_days = excluded.late_days, overdue_since = excluded.overdue_since, words = excluded.words`
}
