import { asJson, type TransactionSql } from '../database.js'
import { isLocationId } from '../locations.js'
import type { AccountId } from '../transaction.js'
import type { Making, ReadRow } from './searched.js'
import { sortKeyOf } from './words.js'

type ShipmentRow = ReadRow & {
  newest_first: string
  name: string | null
  status: string | null
  freight_mode: string | null
  origin: string | null
  destination: string | null
  departs_on: string | null
  arrives_on: string | null
  delivered_on: string | null
  late_days: number | null
  overdue_since: number | null
}

/** The mark of what is picked up or delivered at a location. */
export function locationMark(id: number | string): string {
  return `@${id}`
}

export const shipmentRows: Making<ShipmentRow> = {
  facets: ['status', 'freight_mode', 'origin', 'destination'],
  read: readShipments,
  save: saveShipments,
}

// `offset 0`: a body is parsed once, not for every field. How late a shipment is `domain/lateness.ts` says in words; here
// it is told apart what today has no part in.
async function readShipments(sql: TransactionSql, account: AccountId, ids: string[]): Promise<ShipmentRow[]> {
  const rows = await sql<(ShipmentRow & { locations: (string | null)[] })[]>`
    select id, newest_first::text as newest_first, name, status, freight_mode,
      route ->> 'origin_port_unlocode' as origin, route ->> 'destination_port_unlocode' as destination,
      departure as departs_on, arrival as arrives_on, delivery as delivered_on,
      case when is_counted then coalesce(delivery, arrival)::date - desired_delivery_date end as late_days,
      case when is_counted and not is_delivered then date '1970-01-01' - desired_delivery_date end as overdue_since,
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
      name text, freight_mode text, freight_type text, desired_delivery_date date, route jsonb, main_tracking_dates jsonb,
      booking_information jsonb)
    cross join lateral (
      select left(main_tracking_dates #>> '{departure_date,date}', 10) as departure,
        left(main_tracking_dates #>> '{arrival_date,date}', 10) as arrival,
        left(main_tracking_dates #>> '{delivery_date,date}', 10) as delivery,
        coalesce(booking_information, '{}') as booking,
        coalesce(status not in ('draft', 'cancelled'), true) as is_counted,
        coalesce(status = 'finished' or main_tracking_dates #>> '{delivery_date,status}' = 'actual'
          or (freight_type like '%!_to!_port' escape '!' and not main_tracking_dates ? 'delivery_date'
            and main_tracking_dates #>> '{arrival_date,status}' = 'actual'), false) as is_delivered
    ) derived`
  return rows.map(({ locations, ...row }) => {
    const marks = locations.flatMap((id) => (id !== null && isLocationId(id) ? locationMark(id) : []))
    return { ...row, marks }
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
