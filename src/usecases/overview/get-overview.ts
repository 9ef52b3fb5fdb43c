import { Big } from 'big.js'
import type { Overview } from '../../contract/portal/overview.js'
import type { ExceptionKind } from '../../contract/public/exception.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import type { TrackingDate } from '../../contract/public/shared-types.js'
import { type Shipment, shipmentStatuses } from '../../contract/public/shipment.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, Reader } from '../../database/database.js'
import { readSnapshot } from '../../database/snapshot.js'
import { dateAfter, dayNumber } from '../../domain/dates/local-days.js'
import { ageInvoices, type OwedInvoice } from '../../domain/invoices/invoice-ageing.js'
import { lateOrders } from '../../domain/purchase-orders/order-view.js'
import { lateDays } from '../../domain/shipments/lateness.js'
import { arrivingWithin, inCalendar, lateNow } from '../../domain/shipments/shipment-lists.js'
import { comingDays } from '../../domain/tracking/coming-days.js'
import { countExceptions } from '../../store/exception-inbox.js'
import { searchInvoices } from '../../store/search/invoice-search.js'
import {
  countLate,
  countUpcoming,
  listFacetValues,
  listMostLate,
  listUnassignedOrders,
  listUpcoming,
  type UpcomingShipment,
} from '../../store/search/overview.js'
import { searchPurchaseOrders } from '../../store/search/purchase-order-search.js'
import { updateSearchIndex } from '../../store/search/search-state.js'
import { searchShipments } from '../../store/search/shipment-search.js'
import { findOwedInvoices } from '../invoices/owed-invoices.js'
import type { PortalHandler } from '../portal-context.js'

const mostUpcoming = 200
const mostLate = 10
const mostOrders = 10

/** The start page of the portal. */
export const getOverview: PortalHandler<'getOverview'> = async ({ db, account, today }) => {
  await updateSearchIndex(db, account)
  const [to_do, coming_totals] = await Promise.all([countToDo(db, account, today), countComing(db, account, today)])
  return readSnapshot(db, async (sql) => {
    const [shipments_by_status, coming, coming_days, late, { invoices, exact }, unassigned_orders] = await Promise.all([
      countByStatus(sql, account),
      findUpcoming(sql, account, today),
      countUpcoming(sql, account, calendarDays(today)),
      findLate(sql, account, today),
      findOwedInvoices(sql, account),
      findUnassigned(sql, account),
    ])
    const owed = { invoices: sumOwed(invoices, today), invoices_exact: exact }
    return {
      today,
      to_do,
      shipments_by_status,
      coming,
      coming_totals,
      coming_days,
      late,
      ...owed,
      unassigned_orders,
    }
  })
}

const arrivingDays = 7
// The same as in the portal's lists: a count that stops at a limit stops at the same one.
const take = 50

/** By the queries of the lists, so that a number and the list that it opens agree. */
async function countToDo(db: Database, account: AccountId, today: string): Promise<Overview['to_do']> {
  const openOf = (kind: ExceptionKind) => countExceptions(db, account, { state: 'open', kind })
  const [late, arriving, invoices, orders, lateOnes, held, free_time, missing_documents] = await Promise.all([
    searchShipments(db, account, { ...lateNow, sort: 'late', take }, today),
    searchShipments(db, account, { ...arrivingWithin(arrivingDays, today), sort: 'arrival', take }, today),
    searchInvoices(db, account, { state: 'overdue', take }, today),
    searchPurchaseOrders(db, account, { state: 'open', sort: 'ex_factory', take }, today),
    searchPurchaseOrders(db, account, { ...lateOrders, take }, today),
    openOf('hold'),
    openOf('free_time'),
    openOf('missing_document'),
  ])
  return {
    late: late.count,
    arriving: arriving.count,
    days: arrivingDays,
    overdue_invoices: invoices.count,
    unassigned_orders: orders.count,
    late_orders: lateOnes.count,
    held,
    free_time,
    missing_documents,
  }
}

async function countByStatus(db: Reader, account: AccountId): Promise<Overview['shipments_by_status']> {
  const counted = await listFacetValues(db, account, 'shipment', 'status', shipmentStatuses.length)
  return shipmentStatuses.flatMap((status) => {
    const count = counted.find(({ value }) => value === status)?.count
    return count === undefined ? [] : [{ status, count }]
  })
}

function calendarDays(today: string): { from: string; to: string } {
  return { from: today, to: dateAfter(today, comingDays - 1) }
}

/** All of the calendar, by the queries of the lists that its numbers open. */
async function countComing(db: Database, account: AccountId, today: string): Promise<Overview['coming_totals']> {
  const { from, to } = calendarDays(today)
  const [departures, arrivals] = await Promise.all([
    searchShipments(
      db,
      account,
      { ...inCalendar, departs_from: from, departs_to: to, sort: 'departure', order: 'asc', take },
      today,
    ),
    searchShipments(
      db,
      account,
      { ...inCalendar, arrives_from: from, arrives_to: to, sort: 'arrival', order: 'asc', take },
      today,
    ),
  ])
  return { departures: departures.count, arrivals: arrivals.count }
}

type Upcoming = Overview['coming'][number]

async function findUpcoming(db: Reader, account: AccountId, today: string): Promise<Upcoming[]> {
  const days = calendarDays(today)
  const departures = await listUpcoming(db, account, 'departure', days, mostUpcoming)
  const arrivals = await listUpcoming(db, account, 'arrival', days, mostUpcoming)
  const all = [
    ...departures.map((shipment) => upcomingOf('departure', shipment)),
    ...arrivals.map((shipment) => upcomingOf('arrival', shipment)),
  ]
  return all.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0)).slice(0, mostUpcoming)
}

function upcomingOf(what: Upcoming['what'], { id, day, date, ...about }: UpcomingShipment): Upcoming {
  const { date: at, status } = date as TrackingDate
  const known = Object.entries(about).filter(([, value]) => value !== null)
  return { svc_shipment_id: id, what, day, date: at, status, ...(Object.fromEntries(known) as object) }
}

async function findLate(db: Reader, account: AccountId, today: string): Promise<Overview['late']> {
  const day = dayNumber(today)
  const count = await countLate(db, account, day)
  const worst = (await listMostLate(db, account, day, mostLate)).map((body) =>
    lateOf(JSON.parse(body) as Shipment, today),
  )
  return { count, worst }
}

function lateOf(shipment: Shipment, today: string): Overview['late']['worst'][number] {
  const { svc_shipment_id, name, freight_mode, route, main_tracking_dates: dates } = shipment
  const [origin, destination] = [route?.origin_port_unlocode, route?.destination_port_unlocode]
  const expected = dates?.delivery_date ?? dates?.arrival_date
  return {
    svc_shipment_id,
    days: lateDays(shipment, today) ?? 0,
    desired_delivery_date: shipment.desired_delivery_date ?? '',
    ...(name !== undefined && { name }),
    ...(freight_mode !== undefined && { freight_mode }),
    ...(origin !== undefined && { origin }),
    ...(destination !== undefined && { destination }),
    ...(expected && { expected_on: expected.date.slice(0, 10) }),
  }
}

function sumOwed(invoices: OwedInvoice[], today: string): Overview['invoices'] {
  return ageInvoices(invoices, today).map(({ currency, not_due, ...ages }) => {
    const overdue = sumBuckets(Object.values(ages))
    const open = sumBuckets([not_due, overdue])
    return {
      currency,
      open: open.amount,
      open_count: open.count,
      overdue: overdue.amount,
      overdue_count: overdue.count,
    }
  })
}

type Bucket = { amount: number; count: number }

function sumBuckets(buckets: Bucket[]): Bucket {
  const sum = buckets.reduce((total, { amount }) => total.plus(amount), new Big(0))
  return { amount: sum.toNumber(), count: buckets.reduce((total, { count }) => total + count, 0) }
}

async function findUnassigned(db: Reader, account: AccountId): Promise<Overview['unassigned_orders']> {
  const states = await listFacetValues(db, account, 'purchase_order', 'state', 4)
  const first = (await listUnassignedOrders(db, account, mostOrders)).map((body) => JSON.parse(body) as PurchaseOrder)
  return {
    count: states.find(({ value }) => value === 'open')?.count ?? 0,
    first: first.map(({ po_number, supplier_name, desired_ex_factory_date }) => ({
      reference: po_number,
      ...(supplier_name !== undefined && { supplier_name }),
      ...(desired_ex_factory_date !== undefined && { desired_ex_factory_date }),
    })),
  }
}
