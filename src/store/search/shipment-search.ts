import type { PortalQuery } from '../../contract/portal/operations.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { dayNumber } from '../../domain/dates/local-days.js'
import {
  dateCriterion,
  dateRange,
  eitherCriterion,
  type IndexQuery,
  indexCriterion,
  matchesAll,
  valueCriterion,
  wordCriterion,
  wordsCriterion,
} from './criteria.js'
import { decodeCursor, type KeyType } from './cursor.js'
import { columnOrder, type DateRange, type Order, partitionsBy } from './index-scan.js'
import { type Criterion, countMatches } from './match-counts.js'
import { findPage, type Page } from './page.js'
import { updateSearchIndex } from './search-state.js'
import { searchTables } from './search-tables.js'
import { parseSearch, type SearchTerms } from './search-words.js'
import { daysLateByToday, isLateByDates, isLateByToday, lateDaysOn } from './shipment-lateness.js'
import { locationMark } from './shipment-rows.js'

/** The shipment search of the portal. */

export type ShipmentQuery = PortalQuery<'findShipments'>

type Filter = {
  terms: SearchTerms | undefined
  statuses: string[] | undefined
  modes: string[] | undefined
  origin: string | undefined
  destination: string | undefined
  location: number | undefined
  departs: DateRange | undefined
  arrives: DateRange | undefined
  late: ShipmentQuery['late']
  /** Today, as the number of days since 1970-01-01. */
  day: number
}

export async function searchShipments(
  db: Database,
  account: AccountId,
  search: ShipmentQuery,
  today: string,
): Promise<Page> {
  const filter = filterOf(search, today)
  const { order, keyType } = orderOf(db, search, filter)
  const after = decodeCursor(search.after, keyType)
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await countMatches(db, account, 'shipment', criteria)
  const query = { total, conditions, matches: matchesAll(db, criteria), order, after, take: search.take ?? 50 }
  return findPage(db, account, searchTables.shipment, query)
}

/** Which of these shipments the search finds. */
export async function shipmentsWithin(
  db: Database,
  account: AccountId,
  search: ShipmentQuery,
  { today, ids }: { today: string; ids: string[] },
): Promise<Set<string>> {
  await updateSearchIndex(db, account)
  const rows = await db<{ id: string }[]>`
    select svc_shipment_id as id from shipment_search
    where account_id = ${account} and svc_shipment_id = any(${ids}::text[])
      and ${matchesAll(db, criteriaOf(db, account, filterOf(search, today)))}`
  return new Set(rows.map(({ id }) => id))
}

function filterOf(search: ShipmentQuery, today: string): Filter {
  return {
    terms: parseSearch(search.q),
    statuses: search.status?.split(','),
    modes: search.freight_mode?.split(','),
    origin: search.origin,
    destination: search.destination,
    location: search.location,
    departs: dateRange(search.departs_from, search.departs_to),
    arrives: dateRange(search.arrives_from, search.arrives_to),
    late: search.late,
    day: dayNumber(today),
  }
}

function criteriaOf(db: Database, account: AccountId, filter: Filter): Criterion[] {
  const { terms, statuses, modes, origin, destination, location, departs, arrives, late, day } = filter
  const { shipment } = searchTables
  const isRoute = origin !== undefined && destination !== undefined
  const facets = [
    ['status', statuses],
    ['freight_mode', modes],
    ['origin', isRoute || origin === undefined ? undefined : [origin]],
    ['destination', isRoute || destination === undefined ? undefined : [destination]],
  ] as const
  return [
    ...(isRoute ? [onRoute(db, account, origin, destination)] : []),
    ...facets.flatMap(([facet, values]) => (values ? valueCriterion(db, account, shipment, facet, values) : [])),
    ...(location === undefined ? [] : [wordCriterion(db, account, shipment, locationMark(location))]),
    ...(departs ? [dateCriterion(db, account, shipment, 'departs_on', departs)] : []),
    ...(arrives ? [dateCriterion(db, account, shipment, 'arrives_on', arrives)] : []),
    ...(late === undefined
      ? []
      : [eitherCriterion(db, account, shipment, lateByDates(db, account, late), lateByToday(db, account, day))]),
    ...(terms ? [wordsCriterion(db, account, searchTables.shipment, terms)] : []),
  ]
}

function onRoute(db: Database, account: AccountId, origin: string, destination: string): Criterion {
  const matches = db`origin = ${origin} and destination = ${destination}`
  return indexCriterion(
    db,
    matches,
    (columns, limit) => db`
      select ${columns} from shipment_search
      where account_id = ${account} and ${matches} order by svc_shipment_id limit ${limit}`,
  )
}

function lateByDates(db: Database, account: AccountId, late: 'true' | 'now'): IndexQuery {
  const isLate = isLateByDates(db, late)
  const order = late === 'now' ? db`late_days, overdue_since, svc_shipment_id` : db`late_days, svc_shipment_id`
  return {
    matches: db`(${isLate})`,
    query: (columns, limit) => db`
      select ${columns} from shipment_search
      where account_id = ${account} and ${isLate} order by ${order} limit ${limit}`,
  }
}

function lateByToday(db: Database, account: AccountId, day: number): IndexQuery {
  const isLate = isLateByToday(db, day)
  return {
    matches: isLate,
    query: (columns, limit) => db`
      select ${columns} from shipment_search
      where account_id = ${account} and ${isLate}
      order by overdue_since, svc_shipment_id limit ${limit}`,
  }
}

const columns = {
  newest: { column: 'newest_first', keyType: 'integer' },
  departure: { column: 'departs_on', keyType: 'date' },
  arrival: { column: 'arrives_on', keyType: 'date' },
  delivery: { column: 'delivered_on', keyType: 'date' },
  name: { column: 'name_key', keyType: 'text' },
} as const

type Ordered = { order: Order; keyType: KeyType }

function orderOf(db: Database, { sort = 'newest', order }: ShipmentQuery, filter: Filter): Ordered {
  if (sort === 'late') return { order: lateOrder(db, order !== 'asc', filter.day), keyType: 'days' }
  const { column, keyType } = columns[sort]
  const ranges: Partial<Record<typeof column, DateRange | undefined>> = {
    departs_on: filter.departs,
    arrives_on: filter.arrives,
  }
  // Shipments of a status by arrival have an index: the list of those under way is used most.
  const partitions = column === 'arrives_on' ? partitionsBy(db, 'status', filter.statuses) : []
  return { order: columnOrder(db, column, order, { range: ranges[column], partitions }), keyType }
}

/**
 * The time-dependent part of `lateDays`: the stored columns compared with today. Each has an index, and a shipment belongs
 * to the path on which it is later.
 */
function lateOrder(db: Database, isDescending: boolean, day: number): Order {
  const isOverdue = isLateByToday(db, day)
  const byToday = daysLateByToday(db, day)
  return {
    isDescending,
    key: lateDaysOn(db, day),
    paths: [
      { column: 'late_days', only: db`coalesce(not (${isOverdue} and ${byToday} > late_days), true)` },
      { column: 'overdue_since', shift: day, within: isOverdue, only: db`coalesce(late_days < ${byToday}, true)` },
    ],
    rest: { column: 'late_days', only: db`coalesce(not (${isOverdue}), true)` },
  }
}
