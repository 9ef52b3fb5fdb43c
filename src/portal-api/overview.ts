import { Big } from 'big.js'
import type { Overview } from '../contract/portal/overview.js'
import type { PurchaseOrder } from '../contract/purchase-order.js'
import type { TrackingDate } from '../contract/shared-types.js'
import { type Shipment, shipmentStatuses } from '../contract/shipment.js'
import { comingDays } from '../domain/coming-days.js'
import { ageInvoices, type OwedInvoice } from '../domain/invoice-ageing.js'
import { lateDays } from '../domain/lateness.js'
import type { Reader } from '../storage/database.js'
import { countLate, type Glance, listComing, listLatest, listValues, listWanted } from '../storage/search/glances.js'
import { bringUpToDate } from '../storage/search/search-state.js'
import { dayNumber } from '../storage/search/shipment-pages.js'
import { readSnapshot } from '../storage/snapshot.js'
import type { AccountId } from '../storage/transaction.js'
import type { PortalHandlers } from './handlers.js'
import { findOwedInvoices } from './owed-invoices.js'

const mostComing = 200
const mostWorst = 10
const mostWanted = 10

export const overviewHandlers: PortalHandlers<'getOverview'> = {
  async getOverview({ db, account, today }) {
    await bringUpToDate(db, account)
    return readSnapshot(db, async (sql) => {
      const [shipments_by_status, coming, late, { invoices, exact }, unassigned_orders] = await Promise.all([
        countByStatus(sql, account),
        findComing(sql, account, today),
        findLate(sql, account, today),
        findOwedInvoices(sql, account),
        findUnassigned(sql, account),
      ])
      const owed = { invoices: sumOwed(invoices, today), invoices_exact: exact }
      return { today, shipments_by_status, coming, late, ...owed, unassigned_orders }
    })
  },
}

async function countByStatus(db: Reader, account: AccountId): Promise<Overview['shipments_by_status']> {
  const counted = await listValues(db, account, 'shipment', 'status', shipmentStatuses.length)
  return shipmentStatuses.flatMap((status) => {
    const count = counted.find(({ value }) => value === status)?.count
    return count === undefined ? [] : [{ status, count }]
  })
}

type Coming = Overview['coming'][number]

async function findComing(db: Reader, account: AccountId, today: string): Promise<Coming[]> {
  const days = { from: today, to: dayAfter(today, comingDays - 1) }
  const departures = await listComing(db, account, 'departure', days, mostComing)
  const arrivals = await listComing(db, account, 'arrival', days, mostComing)
  const all = [
    ...departures.map((glance) => comingOf('departure', glance)),
    ...arrivals.map((glance) => comingOf('arrival', glance)),
  ]
  return all.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0)).slice(0, mostComing)
}

function comingOf(what: Coming['what'], { id, day, date, ...about }: Glance): Coming {
  const { date: at, status } = date as TrackingDate
  const known = Object.entries(about).filter(([, value]) => value !== null)
  return { svc_shipment_id: id, what, day, date: at, status, ...(Object.fromEntries(known) as object) }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

async function findLate(db: Reader, account: AccountId, today: string): Promise<Overview['late']> {
  const day = dayNumber(today)
  const count = await countLate(db, account, day)
  const worst = (await listLatest(db, account, day, mostWorst)).map((body) =>
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
  const states = await listValues(db, account, 'purchase_order', 'state', 4)
  const wanted = (await listWanted(db, account, mostWanted)).map((body) => JSON.parse(body) as PurchaseOrder)
  return {
    count: states.find(({ value }) => value === 'open')?.count ?? 0,
    first: wanted.map(({ po_number, supplier_name, desired_ex_factory_date }) => ({
      reference: po_number,
      ...(supplier_name !== undefined && { supplier_name }),
      ...(desired_ex_factory_date !== undefined && { desired_ex_factory_date }),
    })),
  }
}
