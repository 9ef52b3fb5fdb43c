import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PurchaseOrder } from '../../../src/contract/public/purchase-order.js'
import { freightModes, type Shipment, shipmentStatuses } from '../../../src/contract/public/shipment.js'
import { orderStateOf, quantitiesOf } from '../../../src/domain/purchase-orders/order-quantities.js'
import { sortKeyOf } from '../../../src/store/search/search-words.js'
import { newAccount } from '../../support/account.js'
import { dayFromToday, everyOrder, everyShipment, generatedAccount } from '../../support/generated-account.js'
import { newPerson } from '../../support/portal.js'
import {
  type Key,
  locationsOf,
  matchesOrder,
  matchesShipment,
  type OrderQuery,
  orderTexts,
  type ShipmentQuery,
  shipmentKeys,
  sorted,
  textsOf,
} from '../../support/reference-search.js'
import { startService } from '../../support/service.js'

/** Every list is compared with a scan of all bodies. */

const service = await startService()
const account = await generatedAccount(service, 240, 'portal lists')
const { ask } = await newPerson(service, account, 'viewer')
const shipments = await everyShipment(account)
const orders = await everyOrder(account)

const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 })
const several = (values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map((each) => each.join(','))
const given = (values: (string | undefined)[]) => [...new Set(values.flatMap((value) => value ?? []))]
const ports = given(shipments.flatMap(({ route }) => [route?.origin_port_unlocode, route?.destination_port_unlocode]))
const locations = given(shipments.flatMap(locationsOf)).map(Number)
const days = fc.integer({ min: -200, max: 100 }).map(dayFromToday)
const known = given(shipments.flatMap((each) => [...textsOf(each).identifiers, ...textsOf(each).names]) as string[])
const typed = fc
  .record({
    text: fc.constantFrom(...known),
    length: fc.integer({ min: 1, max: 14 }),
    upper: fc.boolean(),
    gap: fc.nat(9),
  })
  .map(({ text, length, upper, gap }) => {
    const cut = text.slice(0, length)
    const spaced = gap === 0 ? cut : `${cut.slice(0, gap)} ${cut.slice(gap)}`
    return upper ? spaced.toUpperCase() : spaced
  })
const directions = optional(fc.constantFrom('asc' as const, 'desc' as const))
const shipmentQueries = fc.record({
  q: optional(typed),
  status: optional(several(shipmentStatuses)),
  freight_mode: optional(several(freightModes)),
  origin: optional(fc.constantFrom(...ports)),
  destination: optional(fc.constantFrom(...ports)),
  departs_from: optional(days),
  departs_to: optional(days),
  arrives_from: optional(days),
  arrives_to: optional(days),
  late: optional(fc.constant('true' as const)),
  location: optional(fc.constantFrom(...locations)),
  sort: optional(fc.constantFrom('newest', 'departure', 'arrival', 'delivery', 'name', 'late')),
  order: directions,
}) as fc.Arbitrary<ShipmentQuery>
// Random combinations mostly match nothing, so only some filters are set.
const fewFilters = fc
  .tuple(shipmentQueries, fc.uniqueArray(fc.integer({ min: 0, max: 10 }), { maxLength: 2 }))
  .map(([query, kept]) => {
    const names = Object.keys(query).filter(
      (name, index) => kept.includes(index) || name === 'sort' || name === 'order',
    )
    return Object.fromEntries(names.map((name) => [name, query[name as keyof ShipmentQuery]]))
  })
const takes = fc.constantFrom(1, 7, 50, 100)

/** All rows, page by page. */
async function everyPage<Row>(
  read: (
    after: string | undefined,
  ) => Promise<{ rows: Row[]; count: { value: number; exact: boolean }; next?: string }>,
) {
  const rows: Row[] = []
  const counts: { value: number; exact: boolean }[] = []
  for (let after: string | undefined; ; ) {
    const page = await read(after)
    rows.push(...page.rows)
    counts.push(page.count)
    if (page.next === undefined) return { rows, counts }
    after = page.next
  }
}

async function findAllShipments(query: ShipmentQuery, take = 100) {
  return everyPage(async (after) => {
    const { body } = await ask('findShipments', { query: { ...query, take, ...(after !== undefined && { after }) } })
    return { rows: body.shipments, count: body.count, ...(body.next !== undefined && { next: body.next }) }
  })
}

function expectedShipments(query: ShipmentQuery): Shipment[] {
  const { sort = 'newest', order } = query
  const isDown = sort === 'newest' ? order === 'asc' : sort === 'late' ? order !== 'asc' : order === 'desc'
  const found = shipments.filter((shipment) => matchesShipment(shipment, query))
  return sorted(found, shipmentKeys[sort], ({ svc_shipment_id }) => svc_shipment_id, isDown)
}

test('shipments are found, sorted and counted as by a scan of all of them, each on one page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fewFilters, shipmentQueries), takes, async (query, take) => {
      const { rows, counts } = await findAllShipments(query, take)
      const expected = expectedShipments(query)
      expect(rows.map(({ svc_shipment_id }) => svc_shipment_id)).toEqual(expected.map((each) => each.svc_shipment_id))
      // The bodies equal those of /v1.
      expect(rows).toEqual(expected)
      for (const count of counts) expect(count).toEqual({ value: expected.length, exact: true })
    }),
    { numRuns: 40 },
  )
})

test('shipments that are late by their dates and overdue today are counted once, however long the page is', async () => {
  const { length } = expectedShipments({ late: 'true' })
  for (const take of [1, 7, 100]) {
    const { body } = await ask('findShipments', { query: { late: 'true', take } })
    expect(body.count).toEqual({ value: length, exact: true })
  }
})

test.each(['newest', 'departure', 'arrival', 'delivery', 'name', 'late'] as const)(
  'all shipments are sorted by %s, ascending and descending',
  async (sort) => {
    for (const order of ['asc', 'desc'] as const) {
      const { rows } = await findAllShipments({ sort, order })
      expect(rows.map((each) => each.svc_shipment_id)).toEqual(
        expectedShipments({ sort, order }).map((each) => each.svc_shipment_id),
      )
    }
  },
)

test('the test data has late shipments, and words and filters with matches', () => {
  const some = (query: ShipmentQuery) => {
    const found = expectedShipments(query).length
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(shipments.length)
  }
  some({ late: 'true' })
  some({ status: 'in_progress' })
  some({ q: shipments[0]?.svc_shipment_id ?? '' })
  expect(known.length).toBeGreaterThan(500)
})

const placeOf = new Map(orders.map(({ po_number }, index) => [po_number, index]))
const orderKeys: Record<NonNullable<OrderQuery['sort']>, (order: PurchaseOrder) => Key> = {
  // As in the list of /v1.
  newest: ({ po_number }) => placeOf.get(po_number),
  reference: ({ po_number }) => po_number,
  supplier: ({ supplier_name }) => sortKeyOf(supplier_name),
  ex_factory: ({ desired_ex_factory_date }) => desired_ex_factory_date,
  delivery: ({ desired_delivery_date }) => desired_delivery_date,
}

const orderQueries = fc.record({
  q: optional(fc.constantFrom(...given(orders.flatMap((each) => Object.values(orderTexts(each)).flat()) as string[]))),
  state: optional(several(['open', 'partly_assigned', 'assigned', 'shipped'])),
  supplier: optional(fc.constantFrom(...given(orders.map(({ supplier_name }) => supplier_name?.toUpperCase())))),
  sort: optional(fc.constantFrom('newest', 'reference', 'supplier', 'ex_factory', 'delivery')),
  order: directions,
}) as fc.Arbitrary<OrderQuery>

test('purchase orders are found, sorted and counted as by a scan of all of them', async () => {
  const states = new Set(orders.map((order) => orderStateOf(quantitiesOf(order.purchase_order_lines))))
  expect(states.size).toBeGreaterThan(2)
  await fc.assert(
    fc.asyncProperty(orderQueries, takes, async (query, take) => {
      const { sort = 'newest', order } = query
      const { rows, counts } = await everyPage(async (after) => {
        const { body } = await ask('findPurchaseOrders', {
          query: { ...query, take, ...(after !== undefined && { after }) },
        })
        return { rows: body.purchase_orders, count: body.count, ...(body.next !== undefined && { next: body.next }) }
      })
      const isDown = order === (sort === 'newest' ? 'asc' : 'desc')
      const found = orders.filter((each) => matchesOrder(each, query))
      expect(rows).toEqual(sorted(found, orderKeys[sort], ({ po_number }) => po_number, isDown))
      for (const count of counts) expect(count).toEqual({ value: found.length, exact: true })
    }),
    { numRuns: 30 },
  )
})

test('facets count the shipments per value', async () => {
  const { body } = await ask('getShipmentFacets')
  const countsOf = (valueOf: (shipment: Shipment) => string | undefined) => {
    const values = given(shipments.map(valueOf))
    return values
      .map((value) => ({ value, count: shipments.filter((each) => valueOf(each) === value).length }))
      .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
  }
  const counted = Object.entries(body).map(([facet, values]) => [
    facet,
    values.map(({ value, count }) => ({ value, count })),
  ])
  expect(Object.fromEntries(counted)).toEqual({
    status: countsOf(({ status }) => status),
    freight_mode: countsOf(({ freight_mode }) => freight_mode),
    origin: countsOf(({ route }) => route?.origin_port_unlocode),
    destination: countsOf(({ route }) => route?.destination_port_unlocode),
  })
})

test('an empty account has empty pages', async () => {
  const empty = await newPerson(service, await newAccount(service))
  const nothing = { count: { value: 0, exact: true } }
  expect((await empty.ask('findShipments')).body).toEqual({ shipments: [], held: [], ...nothing })
  expect((await empty.ask('findShipments', { query: { q: 'x', late: 'true' } })).body).toEqual({
    shipments: [],
    held: [],
    ...nothing,
  })
  expect((await empty.ask('findPurchaseOrders', { query: { state: 'open' } })).body).toEqual({
    purchase_orders: [],
    arrivals: [],
    ...nothing,
  })
  expect((await empty.ask('getShipmentFacets')).body.status).toEqual([])
})

test.each([
  [{ after: 'nonsense' }, '/after'],
  [{ after: Buffer.from('["x","y",0]').toString('base64url') }, '/after'],
  [{ after: Buffer.from('[1,"y\\u0000",0]').toString('base64url') }, '/after'],
  [{ after: Buffer.from('[1,"y",-1]').toString('base64url') }, '/after'],
  [{ sort: 'departure', after: Buffer.from('["2026-02-30","y",0]').toString('base64url') }, '/after'],
  [{ sort: 'late', after: Buffer.from('[2147483648,"y",0]').toString('base64url') }, '/after'],
  [{ sort: 'late', after: Buffer.from('[-2147483648,"y",0]').toString('base64url') }, '/after'],
  [{ status: 'lost' }, '/status'],
  [{ origin: 'Shanghai' }, '/origin'],
  [{ arrives_to: 'soon' }, '/arrives_to'],
  [{ sort: 'colour' }, '/sort'],
  [{ late: 'false' }, '/late'],
  [{ take: 101 }, '/take'],
] as [object, string][])('%j is refused with its pointer', async (query, pointer) => {
  const response = await ask('findShipments', { query })
  expect(response).toBeRefused('invalid_request')
  expect(response.problem.errors?.map((each) => each.pointer)).toEqual([pointer])
})

test('no search text causes an error', async () => {
  const texts = [
    "'",
    '\\',
    "a':*|b",
    '!',
    '(',
    'a & b',
    '%',
    '_',
    '😀',
    'ﬁ',
    '١٢',
    '\u0301',
    'a'.repeat(200),
    "x' y",
    '<->',
    '"',
  ]
  for (const q of texts) expect((await ask('findShipments', { query: { q } })).status).toBe(200)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (q) => {
      const { status } = await ask('findShipments', { query: { q } })
      // NUL is not valid text.
      expect(status).toBe(q.includes('\0') ? 400 : 200)
    }),
    { numRuns: 30 },
  )
})
