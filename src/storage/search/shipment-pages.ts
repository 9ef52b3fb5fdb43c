import type { PortalQuery } from '../../contract/portal/operations.js'
import type { Database } from '../database.js'
import type { AccountId } from '../transaction.js'
import {
  answering,
  daysBetween,
  eitherOf,
  havingValue,
  havingWord,
  havingWords,
  matchingAll,
  withinDays,
} from './criteria.js'
import { type KeyType, placeOf } from './cursor.js'
import { type Criterion, measure } from './measuring.js'
import { findPage, type Page } from './page.js'
import { listed } from './searched.js'
import { locationMark } from './shipment-rows.js'
import { columnOrder, type Days, type Order, togetherBy } from './walk.js'
import { type Sought, soughtIn } from './words.js'

/** Shipments as people look for them. */

export type ShipmentSearch = PortalQuery<'findShipments'>

type Filter = {
  sought: Sought | undefined
  statuses: string[] | undefined
  modes: string[] | undefined
  origin: string | undefined
  destination: string | undefined
  location: number | undefined
  departs: Days | undefined
  arrives: Days | undefined
  isLate: boolean
  /** The days from 1970 to today. */
  day: number
}

export async function findShipmentPage(
  db: Database,
  account: AccountId,
  search: ShipmentSearch,
  today: string,
): Promise<Page> {
  const filter = filterOf(search, today)
  const { order, keyType } = orderOf(db, search, filter)
  const after = placeOf(search.after, keyType)
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await measure(db, account, 'shipment', criteria)
  const wish = { total, conditions, matches: matchingAll(db, criteria), order, after, take: search.take ?? 50 }
  return findPage(db, account, listed.shipment, wish)
}

function filterOf(search: ShipmentSearch, today: string): Filter {
  return {
    sought: soughtIn(search.q),
    statuses: search.status?.split(','),
    modes: search.freight_mode?.split(','),
    origin: search.origin,
    destination: search.destination,
    location: search.location,
    departs: daysBetween(search.departs_from, search.departs_to),
    arrives: daysBetween(search.arrives_from, search.arrives_to),
    isLate: search.late === 'true',
    day: dayNumber(today),
  }
}

export function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000
}

function criteriaOf(db: Database, account: AccountId, filter: Filter): Criterion[] {
  const { sought, statuses, modes, origin, destination, location, departs, arrives, isLate, day } = filter
  const { shipment } = listed
  const isRoute = origin !== undefined && destination !== undefined
  const facets = [
    ['status', statuses],
    ['freight_mode', modes],
    ['origin', isRoute || origin === undefined ? undefined : [origin]],
    ['destination', isRoute || destination === undefined ? undefined : [destination]],
  ] as const
  return [
    ...(isRoute ? [onRoute(db, account, origin, destination)] : []),
    ...facets.flatMap(([facet, values]) => (values ? havingValue(db, account, shipment, facet, values) : [])),
    ...(location === undefined ? [] : [havingWord(db, account, shipment, locationMark(location))]),
    ...(departs ? [withinDays(db, account, shipment, 'departs_on', departs)] : []),
    ...(arrives ? [withinDays(db, account, shipment, 'arrives_on', arrives)] : []),
    ...(isLate ? [eitherOf(db, account, shipment, expectedLate(db, account), overdue(db, account, day))] : []),
    ...(sought ? [havingWords(db, account, listed.shipment, sought)] : []),
  ]
}

function onRoute(db: Database, account: AccountId, origin: string, destination: string): Criterion {
  const matches = db`origin = ${origin} and destination = ${destination}`
  return answering(
    db,
    matches,
    (columns, limit) => db`
      select ${columns} from shipment_search
      where account_id = ${account} and ${matches} order by svc_shipment_id limit ${limit}`,
  )
}

function expectedLate(db: Database, account: AccountId): Criterion {
  return answering(
    db,
    db`late_days > 0`,
    (columns, limit) => db`
      select ${columns} from shipment_search
      where account_id = ${account} and late_days > 0 order by late_days, svc_shipment_id limit ${limit}`,
  )
}

function overdue(db: Database, account: AccountId, day: number): Criterion {
  return answering(
    db,
    db`overdue_since > ${-day}`,
    (columns, limit) => db`
      select ${columns} from shipment_search
      where account_id = ${account} and overdue_since > ${-day}
      order by overdue_since, svc_shipment_id limit ${limit}`,
  )
}

const columns = {
  newest: { column: 'newest_first', keyType: 'integer' },
  departure: { column: 'departs_on', keyType: 'date' },
  arrival: { column: 'arrives_on', keyType: 'date' },
  delivery: { column: 'delivered_on', keyType: 'date' },
  name: { column: 'name_key', keyType: 'text' },
} as const

type Ordered = { order: Order; keyType: KeyType }

function orderOf(db: Database, { sort = 'newest', order }: ShipmentSearch, filter: Filter): Ordered {
  if (sort === 'late') return { order: lateOrder(db, order !== 'asc', filter.day), keyType: 'days' }
  const { column, keyType } = columns[sort]
  const stretches: Partial<Record<typeof column, Days | undefined>> = {
    departs_on: filter.departs,
    arrives_on: filter.arrives,
  }
  // What is under way is looked at by its arrival every day: it has an index for that.
  const together = column === 'arrives_on' ? togetherBy(db, 'status', filter.statuses) : undefined
  return { order: columnOrder(db, column, order, { stretch: stretches[column], together }), keyType }
}

/**
 * Late is what its dates say or, until it is delivered, what today says, if that is more. Each has an index: a shipment
 * stands where it is later.
 */
function lateOrder(db: Database, isDown: boolean, day: number): Order {
  const isOverdue = db`overdue_since > ${-day}`
  const byToday = db`overdue_since + ${day}::integer`
  return {
    isDown,
    key: db`greatest(late_days, case when ${isOverdue} then ${byToday} end)`,
    paths: [
      { column: 'late_days', only: db`coalesce(not (${isOverdue} and ${byToday} > late_days), true)` },
      { column: 'overdue_since', shift: day, within: isOverdue, only: db`coalesce(late_days < ${byToday}, true)` },
    ],
    rest: { column: 'late_days', only: db`coalesce(not (${isOverdue}), true)` },
  }
}
