import { Big } from 'big.js'
import { expect, test } from 'vitest'
import type { Overview } from '../../../src/contract/portal/overview.js'
import { shipmentStatuses } from '../../../src/contract/public/shipment.js'
import { orderStateOf, quantitiesOf } from '../../../src/domain/purchase-orders/order-quantities.js'
import { isDelivered, lateDays } from '../../../src/domain/shipments/lateness.js'
import { inCalendar } from '../../../src/domain/shipments/shipment-lists.js'
import { line, newAccount } from '../../support/account.js'
import { startForwarding } from '../../support/forwarder.js'
import { dayFromToday, everyOrder, everyShipment, generatedAccount, today } from '../../support/generated-account.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('the overview equals a computation over all data', async () => {
  const account = await generatedAccount(service, 160, 'portal overview')
  // On some days none of the generated ones arrives within a week.
  const arrival = { description: 'Arrival', date: `${dayFromToday(3)}T08:00:00Z`, status: 'estimated' as const }
  await account.forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'SOON', status: 'in_progress' } },
    {
      kind: 'tracking',
      data: { svc_shipment_id: 'SOON', tracking_steps: [{ type: 'destination_port', events: [arrival] }] },
    },
  )
  const { ask } = await newPerson(service, account, 'viewer')
  const shipments = await everyShipment(account)
  const orders = await everyOrder(account)
  const { body } = await ask('getOverview')

  expect(body.today).toBe(today())
  expect(body.shipments_by_status).toEqual(
    shipmentStatuses.flatMap((status) => {
      const count = shipments.filter((each) => each.status === status).length
      return count === 0 ? [] : [{ status, count }]
    }),
  )

  const underWay = shipments.filter((each) => !isDelivered(each))
  const late = underWay
    .map((shipment) => ({ shipment, days: lateDays(shipment, today()) ?? 0 }))
    .filter(({ days }) => days > 0)
    .toSorted((one, other) => other.days - one.days)
  expect(late.length).toBeGreaterThan(0)
  expect(body.late.count).toBe(late.length)
  const lateNow = await ask('findShipments', { query: { late: 'now', sort: 'late', take: 100 } })
  expect(lateNow.body.count).toEqual({ value: late.length, exact: true })
  expect(body.to_do.late).toEqual(lateNow.body.count)
  const moving = new Set(['booking_request', 'awaiting_booking', 'booked', 'in_progress'])
  const arriving = shipments.filter(({ status, main_tracking_dates: dates }) => {
    const day = dates?.arrival_date?.date.slice(0, 10) ?? ''
    return moving.has(status ?? '') && day >= today() && day < dayFromToday(7)
  })
  expect(arriving.length).toBeGreaterThan(0)
  expect(body.to_do).toMatchObject({ arriving: { value: arriving.length, exact: true }, days: 7 })
  expect(lateNow.body.shipments.map((each) => lateDays(each, today()))).toEqual(late.map(({ days }) => days))
  expect(body.late.worst.map(({ days }) => days)).toEqual(late.slice(0, 10).map(({ days }) => days))
  for (const { svc_shipment_id, days, desired_delivery_date } of body.late.worst) {
    const found = late.find(({ shipment }) => shipment.svc_shipment_id === svc_shipment_id)
    expect(found).toMatchObject({ days, shipment: { desired_delivery_date } })
  }

  const coming = shipments
    .filter(({ status }) => status !== 'draft' && status !== 'cancelled')
    .flatMap(({ svc_shipment_id, main_tracking_dates: dates }) => [
      { svc_shipment_id, what: 'departure', ...dates?.departure_date },
      { svc_shipment_id, what: 'arrival', ...dates?.arrival_date },
    ])
    .filter(({ date }) => date !== undefined && date.slice(0, 10) >= today() && date.slice(0, 10) < dayFromToday(14))
  expect(coming.length).toBeGreaterThan(5)
  expect(
    new Set(body.coming.map(({ svc_shipment_id, what, date, status }) => [svc_shipment_id, what, date, status].join())),
  ).toEqual(
    new Set(coming.map(({ svc_shipment_id, what, date, status }) => [svc_shipment_id, what, date, status].join())),
  )
  expect(body.coming.map(({ day }) => day)).toEqual(body.coming.map(({ date }) => date.slice(0, 10)).toSorted())

  // The numbers are those of the lists that they open, also where the calendar shows fewer.
  const days = { from: today(), to: dayFromToday(13) }
  const departing = await ask('findShipments', {
    query: { ...inCalendar, departs_from: days.from, departs_to: days.to },
  })
  const coming_totals = { departures: departing.body.count, arrivals: { value: 0, exact: true } }
  coming_totals.arrivals.value = coming.filter(({ what }) => what === 'arrival').length
  expect(body.coming_totals).toEqual(coming_totals)
  const sumOf = (what: 'departures' | 'arrivals') => body.coming_days.reduce((sum, day) => sum + day[what], 0)
  expect([sumOf('departures'), sumOf('arrivals')]).toEqual([
    coming_totals.departures.value,
    coming_totals.arrivals.value,
  ])

  const open = orders.filter((each) => orderStateOf(quantitiesOf(each.purchase_order_lines)) === 'open')
  expect(body.unassigned_orders.count).toBe(open.length)
  expect(body.to_do.unassigned_orders).toEqual({ value: open.length, exact: true })
  const wanted = open
    .map(({ desired_ex_factory_date }) => desired_ex_factory_date ?? '9999')
    .toSorted()
    .slice(0, 10)
  expect(body.unassigned_orders.first.map((each) => each.desired_ex_factory_date ?? '9999')).toEqual(wanted)

  expect(body.invoices_exact).toBe(true)
  expect(body.invoices).toEqual(await owedByCurrency(account.slug))
  const overdue = await ask('findInvoices', { query: { state: 'overdue' } })
  expect(overdue.body.count.value).toBeGreaterThan(0)
  expect(body.to_do.overdue_invoices).toEqual(overdue.body.count)
})

/** The outstanding amounts as operators see them. */
async function owedByCurrency(slug: string): Promise<Overview['invoices']> {
  const { ops } = await newOperator(service)
  const sums = new Map<string, { open: Big; open_count: number; overdue: Big; overdue_count: number }>()
  for (let skip = 0; ; skip += 100) {
    const { body } = await ops('listInvoices', slug, { query: { skip, take: 100 } })
    for (const { record, outstanding } of body) {
      if (record.type === 'credit_note' || record.draft) continue
      const isOverdue = record.due_date !== undefined && record.due_date < today()
      for (const { amount, currency } of outstanding.filter((price) => price.amount > 0)) {
        const sum = sums.get(currency) ?? { open: new Big(0), open_count: 0, overdue: new Big(0), overdue_count: 0 }
        sums.set(currency, {
          open: sum.open.plus(amount),
          open_count: sum.open_count + 1,
          overdue: isOverdue ? sum.overdue.plus(amount) : sum.overdue,
          overdue_count: sum.overdue_count + (isOverdue ? 1 : 0),
        })
      }
    }
    if (body.length < 100) break
  }
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { open, overdue, ...counts }]) => ({
      currency,
      open: open.toNumber(),
      open_count: counts.open_count,
      overdue: overdue.toNumber(),
      overdue_count: counts.overdue_count,
    }))
}

const none = { value: 0, exact: true }

test('an empty account has an empty overview', async () => {
  const { ask } = await newPerson(service, await newAccount(service))
  expect((await ask('getOverview')).body).toEqual({
    today: today(),
    to_do: {
      late: none,
      arriving: none,
      days: 7,
      overdue_invoices: none,
      unassigned_orders: none,
      late_orders: none,
      held: none,
      free_time: none,
      missing_documents: none,
    },
    shipments_by_status: [],
    coming: [],
    coming_totals: { departures: none, arrivals: none },
    coming_days: [],
    late: { count: 0, worst: [] },
    invoices: [],
    invoices_exact: true,
    unassigned_orders: { count: 0, first: [] },
  })
})

test('the overview includes all earlier changes by forwarder and customer', async () => {
  const { work, call, shipment, id } = await startForwarding(service)
  const { ask } = await newPerson(service, { id }, 'member')
  const svc_shipment_id = await shipment({ status: 'in_progress', desired_delivery_date: dayFromToday(-3) })
  await call('createPurchaseOrder', {
    body: { reference: 'PO-1', supplier_id: 'Acme', desired_ex_factory_date: '2026-05-01', product_lines: [line()] },
  })
  const first = (await ask('getOverview')).body
  expect(first.late).toMatchObject({ count: 1, worst: [{ svc_shipment_id, days: 3 }] })
  expect(first.unassigned_orders).toEqual({
    count: 1,
    first: [{ reference: 'PO-1', supplier_name: 'Acme', desired_ex_factory_date: '2026-05-01' }],
  })
  await work('moveShipment', { params: { svc_shipment_id }, body: { status: 'finished' } })
  const { late, shipments_by_status } = (await ask('getOverview')).body
  expect(late).toEqual({ count: 0, worst: [] })
  expect(shipments_by_status).toEqual([{ status: 'finished', count: 1 }])
})

test('arrivals are listed for two weeks, starting today', async () => {
  const account = await newAccount(service)
  const { ask } = await newPerson(service, account, 'viewer')
  for (const days of [-1, 0, 13, 14]) {
    const svc_shipment_id = `DAY-${days}`
    const departure = { description: 'Departed', date: `${dayFromToday(days)}T08:00:00Z`, status: 'planned' as const }
    await account.forwarder.imports(
      { kind: 'shipment', data: { svc_shipment_id, status: 'booked' } },
      {
        kind: 'tracking',
        data: { svc_shipment_id, tracking_steps: [{ type: 'origin_port', events: [departure] }] },
      },
    )
  }
  const { coming } = (await ask('getOverview')).body
  expect(coming.map(({ svc_shipment_id, day }) => [svc_shipment_id, day])).toEqual([
    ['DAY-0', dayFromToday(0)],
    ['DAY-13', dayFromToday(13)],
  ])
})
