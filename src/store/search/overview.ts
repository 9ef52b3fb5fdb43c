import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { inCalendar } from '../../domain/shipments/shipment-lists.js'
import { longestScan } from './page.js'
import { daysLateByToday, isLateByDates, isLateByToday } from './shipment-lateness.js'

/** Queries of the overview page: they read counts and the beginnings of indexes. */

/** The most frequent values of a facet, with their counts. */
export async function listFacetValues(
  db: Reader,
  account: AccountId,
  kind: 'shipment' | 'purchase_order',
  facet: string,
  take: number,
): Promise<{ value: string; count: number }[]> {
  return db<{ value: string; count: number }[]>`
    select value, count from search_counts
    where account_id = ${account} and kind = ${kind} and facet = ${facet}
    order by count desc, value limit ${take}`
}

/** A shipment as the overview lists it. */
export type UpcomingShipment = {
  id: string
  day: string
  name: string | null
  freight_mode: string | null
  origin: string | null
  destination: string | null
  date: { date: string; status: string }
}

const shownStatuses = inCalendar.status?.split(',') ?? []

/** Departures or arrivals within a range of days, in order. */
export async function listUpcoming(
  db: Reader,
  account: AccountId,
  what: 'departure' | 'arrival',
  { from, to }: { from: string; to: string },
  take: number,
): Promise<UpcomingShipment[]> {
  const column = db(what === 'departure' ? 'departs_on' : 'arrives_on')
  return db<UpcomingShipment[]>`
    select id, to_char(day, 'YYYY-MM-DD') as day, shown.body ->> 'name' as name,
      shown.body ->> 'freight_mode' as freight_mode, shown.body #>> '{route,origin_port_unlocode}' as origin,
      shown.body #>> '{route,destination_port_unlocode}' as destination,
      shown.body #> array['main_tracking_dates', ${`${what}_date`}::text] as date
    from (
      select svc_shipment_id as id, day
      from (
        select svc_shipment_id, ${column} as day, status from shipment_search
        where account_id = ${account} and ${column} between ${from}::text::date and ${to}::text::date
        order by ${column}, svc_shipment_id limit ${longestScan}
      ) scanned
      where status = any(${shownStatuses})
      limit ${take}
    ) coming
    cross join lateral (
      select body::jsonb as body from shipments where account_id = ${account} and svc_shipment_id = coming.id offset 0
    ) shown
    order by day, id`
}

/** How many shipments depart and arrive on each day that has any. */
export async function countUpcoming(
  db: Reader,
  account: AccountId,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; departures: number; arrivals: number }[]> {
  const of = (what: 'departure' | 'arrival') => {
    const column = db(what === 'departure' ? 'departs_on' : 'arrives_on')
    return db`
      select ${column} as day, ${what} as what from shipment_search
      where account_id = ${account} and ${column} between ${from}::text::date and ${to}::text::date
        and status = any(${shownStatuses})`
  }
  return db`
    select to_char(day, 'YYYY-MM-DD') as day, count(*) filter (where what = 'departure')::integer as departures,
      count(*) filter (where what = 'arrival')::integer as arrivals
    from (${of('departure')} union all ${of('arrival')}) coming
    group by coming.day order by coming.day`
}

const mostLateCounted = 10_000

/** How many shipments under way are late today (a day number), up to a maximum. */
export async function countLate(db: Reader, account: AccountId, day: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      (select from shipment_search where account_id = ${account} and ${isLateByToday(db, day)}
      order by overdue_since, svc_shipment_id limit ${mostLateCounted})
      union all
      (select from (
        select overdue_since from shipment_search
        where account_id = ${account} and ${isLateByDates(db, 'now')}
        order by late_days, overdue_since, svc_shipment_id limit ${mostLateCounted}
      ) expected where not (${isLateByToday(db, day)}))
    ) late`
  return Math.min(row?.count ?? 0, mostLateCounted)
}

/** The shipments under way that are most late: each is among the latest by its dates, or among the latest by today. */
export async function listMostLate(db: Reader, account: AccountId, day: number, take: number): Promise<string[]> {
  const rows = await db<{ body: string }[]>`
    select body
    from (
      select id, max(days) as days
      from (
        (select svc_shipment_id as id, late_days as days from shipment_search
        where account_id = ${account} and ${isLateByDates(db, 'now')}
        order by late_days desc, overdue_since desc, svc_shipment_id desc limit ${take})
        union all
        (select svc_shipment_id, ${daysLateByToday(db, day)} from shipment_search
        where account_id = ${account} and ${isLateByToday(db, day)}
        order by overdue_since desc, svc_shipment_id desc limit ${take})
      ) latest
      group by id order by days desc, id limit ${take}
    ) latest
    cross join lateral (
      select body from shipments where account_id = ${account} and svc_shipment_id = latest.id offset 0
    ) shown
    order by days desc, id`
  return rows.map(({ body }) => body)
}

/** Orders without assignments, ordered by their ex-factory date. */
export async function listUnassignedOrders(db: Reader, account: AccountId, take: number): Promise<string[]> {
  const rows = await db<{ body: string }[]>`
    select body
    from (
      select reference, ex_factory_on from purchase_order_search
      where account_id = ${account} and state = 'open' order by ex_factory_on, reference limit ${take}
    ) wanted
    cross join lateral (
      select body from purchase_orders where account_id = ${account} and reference = wanted.reference offset 0
    ) shown
    order by ex_factory_on, reference`
  return rows.map(({ body }) => body)
}
