import { expect, test } from 'vitest'
import { pointersOf, startForwarding } from '../../support/forwarder.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

/** What arrives when: of an order, by SKU, what has moved, and what a delay would do. */

const service = await startService()

const delivery = (day: string, status: 'planned' | 'estimated' | 'actual' = 'estimated') => ({
  main_tracking_dates: { delivery_date: { date: `${day}T10:00:00+02:00`, status } },
})
const product = (sku: string, name?: string) => ({ sku, ...(name !== undefined && { name }) })
const reference = 'PO-1'

/** Two shipments of a vessel, and an order with a line of which a part is assigned to each, and one that is not assigned. */
async function started() {
  const forwarding = await startForwarding(service)
  const booking_information = { ocean_booking: { vessel: 'Ever Given' } }
  const route = { destination_port_unlocode: 'FR/LEH' }
  const ship = (svc_shipment_id: string, dates: object, name = svc_shipment_id) =>
    forwarding.forwarder.imports({
      kind: 'shipment',
      data: { svc_shipment_id, name, status: 'booked', booking_information, route, ...dates },
    })
  await ship('S-1', delivery('2098-05-04'))
  await ship('S-2', delivery('2098-05-12'))
  await forwarding.call('createPurchaseOrder', {
    body: {
      reference,
      supplier_id: 'Zhejiang Lamps',
      desired_ex_factory_date: '2098-03-01',
      desired_delivery_date: '2098-05-10',
      product_lines: [
        { reference: '10', ordered_quantity: 100, product: product('LAMP', 'Desk lamp') },
        { reference: '20', ordered_quantity: 7.5, product: product('CORD') },
      ],
    },
  })
  const assign = (svc_shipment_id: string, assigned_quantity: number) =>
    forwarding.work('assign', { params: { reference, line: '10', svc_shipment_id }, body: { assigned_quantity } })
  await assign('S-1', 60)
  await assign('S-2', 30.5)
  return { ...forwarding, assign, ship }
}

test('an order and its lines show when they arrive by shipment, what is late, and what is not assigned', async () => {
  const { call, work, ship, lastChange } = await started()
  const before = await lastChange()
  const { body } = await call('getOrderArrivals', { params: { reference } })
  expect(body).toMatchObject({
    reference,
    desired_ex_factory_date: '2098-03-01',
    desired_delivery_date: '2098-05-10',
    expected_date: '2098-05-12',
    date_status: 'estimated',
    days_late: 2,
    unassigned_quantity: 17,
    unshipped_quantity: 90.5,
  })
  expect(body.lines[0]).toMatchObject({
    line: '10',
    sku: 'LAMP',
    ordered_quantity: 100,
    unassigned_quantity: 9.5,
    arrivals: [
      { svc_shipment_id: 'S-1', quantity: 60, expected_date: '2098-05-04', days_late: -6, location: 'FR/LEH' },
      { svc_shipment_id: 'S-2', quantity: 30.5, expected_date: '2098-05-12', days_late: 2, date_of: 'delivery' },
    ],
  })
  expect(body.lines[1]).toMatchObject({ line: '20', date_status: 'unknown', unassigned_quantity: 7.5, arrivals: [] })

  await ship('S-1', delivery('2098-05-20'))
  const now = (await call('getOrderArrivals', { params: { reference } })).body
  expect(now).toMatchObject({ expected_date: '2098-05-20', days_late: 10 })
  const past = await call('getOrderArrivals', { params: { reference }, query: { as_of: before } })
  expect(past.body).toEqual(body)
  expect((await work('getOrderArrivals', { params: { reference } })).body).toEqual(now)
  expect(await call('getOrderArrivals', { params: { reference: 'PO-2' } })).toBeRefused('purchase_order_not_found')
})

test('an order that has arrived except for what is not assigned has no date', async () => {
  const { call, ship, work, id } = await started()
  await ship('S-1', delivery('2026-05-04', 'actual'))
  await ship('S-2', delivery('2026-05-06', 'actual'))
  const { body } = await call('getOrderArrivals', { params: { reference } })
  expect(body).toMatchObject({ date_status: 'unknown', unassigned_quantity: 17 })
  expect(body).not.toHaveProperty('expected_date')
  expect(body.lines[0]).not.toHaveProperty('expected_date')
  const { portal } = await newPerson(service, { id }, 'viewer')
  const listed = async () => (await portal('findPurchaseOrders', {})).body.arrivals
  expect(await listed()).toMatchObject([{ reference, date_status: 'unknown' }])

  for (const [line, assigned_quantity] of [
    ['10', 40],
    ['20', 7.5],
  ] as const)
    await work('assign', { params: { reference, line, svc_shipment_id: 'S-2' }, body: { assigned_quantity } })
  const arrived = { expected_date: '2026-05-06', date_status: 'actual' }
  expect((await call('getOrderArrivals', { params: { reference } })).body).toMatchObject(arrived)
  expect(await listed()).toMatchObject([arrived])
})

test('what arrives is filtered, sorted, paged, and validated by its ETag', async () => {
  const { call, work, ship, key } = await started()
  const list = async (query: object) => {
    const { status, body, text } = await call('listInbound', { query })
    expect(status, text).toBe(200)
    return body.map(({ sku, svc_shipment_id = '-', quantity }) => `${sku} ${svc_shipment_id} ${quantity}`)
  }
  const all = ['LAMP S-1 60', 'LAMP S-2 30.5', 'LAMP - 9.5', 'CORD - 7.5']
  expect(await list({})).toEqual(all)
  expect([...(await list({ take: 3 })), ...(await list({ skip: 3, take: 3 }))]).toEqual(all)
  expect(await list({ sort: 'sku' })).toEqual(['CORD - 7.5', 'LAMP S-1 60', 'LAMP S-2 30.5', 'LAMP - 9.5'])
  expect((await list({ sort: 'late' }))[0]).toBe('LAMP S-2 30.5')
  expect(await list({ sku: 'CORD' })).toEqual(['CORD - 7.5'])
  expect(await list({ late: 'true' })).toEqual(['LAMP S-2 30.5'])
  expect(await list({ unassigned: 'true' })).toEqual(['LAMP - 9.5', 'CORD - 7.5'])
  expect(await list({ from: '2098-05-05', to: '2098-05-12' })).toEqual(['LAMP S-2 30.5'])
  expect(await list({ q: 'desk ZHEJ s-1' })).toEqual(['LAMP S-1 60'])
  expect(await list({ supplier: 'zhejiang lamps', location: 'FR/LEH' })).toEqual(all.slice(0, 2))
  expect(await list({ reference: 'PO-2' })).toEqual([])
  expect((await work('listInbound', { query: { sku: 'CORD' } })).body).toHaveLength(1)

  const get = async (etag?: string) =>
    fetch(`${service.baseUrl}/v1/inbound`, {
      headers: { authorization: `Bearer ${key}`, ...(etag !== undefined && { 'if-none-match': etag }) },
    })
  const etag = (await get()).headers.get('etag') ?? ''
  expect((await get(etag)).status).toBe(304)
  await ship('S-1', delivery('2098-05-02', 'actual'))
  const changed = await get(etag)
  expect(changed.status).toBe(200)
  expect(await list({})).toEqual(all.slice(1))
  expect(await list({ delivered: 'true' })).toEqual(['LAMP S-1 60'])

  for (const [query, pointer] of [
    [{ from: '2098-02-30' }, '/from'],
    [{ take: 1001 }, '/take'],
    [{ since: 'Friday' }, '/since'],
    [{ colour: 'red' }, '/colour'],
  ] as const) {
    const refused = await call('listInbound', { query: query as object })
    expect(refused).toBeRefused('invalid_request')
    expect(pointersOf(refused as never)).toEqual([pointer])
  }
})

test('what has moved since a time is listed with what it was', async () => {
  const { call, work, assign, ship, lastChange } = await started()
  const since = await lastChange()
  const moved = async (query: object = {}) =>
    (await call('listInbound', { query: { since, ...query } })).body.map(
      ({ svc_shipment_id, quantity, expected_date, was }) => [svc_shipment_id, quantity, expected_date, was],
    )
  expect(await moved()).toEqual([])
  await ship('S-1', delivery('2098-05-09'))
  await ship('S-1', delivery('2098-05-09'), 'Renamed')
  await assign('S-2', 40)
  const first = { quantity: 60, expected_date: '2098-05-04', date_status: 'estimated' }
  const second = { quantity: 30.5, expected_date: '2098-05-12', date_status: 'estimated' }
  expect(await moved()).toEqual([
    ['S-1', 60, '2098-05-09', first],
    ['S-2', 40, '2098-05-12', second],
  ])
  expect(await moved({ sku: 'CORD' })).toEqual([])
  // A cancelled shipment brings nothing; what moved back has not moved.
  await ship('S-1', delivery('2098-05-04'))
  await work('moveShipment', { params: { svc_shipment_id: 'S-2' }, body: { status: 'cancelled', reason: 'sold' } })
  expect(await moved()).toEqual([['S-2', 0, undefined, second]])
})

test('a delay of a shipment or its vessel shows what would be late, and stores nothing', async () => {
  const { call, work, revision } = await started()
  const before = await revision()
  const params = { svc_shipment_id: 'S-1' }
  const { body: none } = await call('simulateDelay', { params })
  expect(none).toEqual({
    shipments: ['S-1'],
    lines_concerned: 1,
    late_lines: [],
    newly_late: { lines: 0, orders: 0, skus: 0 },
    vessel: 'Ever Given',
  })
  const { body } = await call('simulateDelay', { params, query: { days: 8, vessel: 'true' } })
  // The order is late already by its other line.
  expect(body).toMatchObject({ shipments: ['S-1', 'S-2'], newly_late: { lines: 1, orders: 0, skus: 1 } })
  expect(body.late_lines).toMatchObject([
    { svc_shipment_id: 'S-1', quantity: 60, delayed_date: '2098-05-12', days_late: 2, is_late_now: false },
    { svc_shipment_id: 'S-2', delayed_date: '2098-05-20', days_late: 10, is_late_now: true },
  ])
  expect((await work('simulateDelay', { params, query: { days: 8, vessel: 'true' } })).body).toEqual(body)
  expect(await revision()).toBe(before)
  expect(await call('simulateDelay', { params: { svc_shipment_id: 'S-9' } })).toBeRefused('shipment_not_found')
  expect(await call('simulateDelay', { params, query: { days: 0 } })).toBeRefused('invalid_request')
})

test('a delay concerns the vessel that the goods are on by their events, not the one that was booked', async () => {
  const { call, forwarder, assign, ship } = await started()
  await ship('S-3', {})
  await assign('S-3', 5)
  type Port = 'origin_port' | 'transshipment_port' | 'destination_port'
  const port = (type: Port, unlocode: string) => ({ id: type, type, port: { unlocode } })
  const track = async (svc_shipment_id: string, events: ReturnType<typeof event>[]) => {
    const tracking_steps = [
      port('origin_port', 'CN/SHA'),
      port('transshipment_port', 'SG/SIN'),
      port('destination_port', 'FR/LEH'),
    ]
    await forwarder.imports({ kind: 'tracking', data: { svc_shipment_id, tracking_steps } })
    for (const [sequence, event] of events.entries()) {
      const data = { svc_shipment_id, event_id: `e${sequence}`, sequence: sequence + 1, ...event }
      await forwarder.imports({ kind: 'tracking_event', data })
    }
  }
  type Code = 'LOADED' | 'DEPARTED' | 'DISCHARGED' | 'ARRIVED'
  // Days from today.
  const event = (step: Port, code: Code, days: number, name: string, status: 'actual' | 'estimated' = 'actual') => ({
    step,
    code,
    status,
    date: new Date(Date.now() + days * 86_400_000).toISOString(),
    vessel: { name },
  })
  const onFeeder = event('origin_port', 'DEPARTED', -12, 'Feeder One')
  const expected = event('destination_port', 'ARRIVED', 20, 'MSC Oscar', 'estimated')
  const vesselOf = async (svc_shipment_id: string) => {
    const { body: delay } = await call('simulateDelay', { params: { svc_shipment_id }, query: { vessel: 'true' } })
    const { body: lines } = await call('listInbound', { query: { svc_shipment_id } })
    const { body: order } = await call('getOrderArrivals', { params: { reference } })
    const arrivals = order.lines.flatMap((line) => line.arrivals)
    expect(lines.map(({ vessel }) => vessel)).toEqual([delay.vessel])
    expect(arrivals.find((each) => each.svc_shipment_id === svc_shipment_id)?.vessel).toBe(delay.vessel)
    return [delay.vessel, delay.shipments.toSorted()]
  }
  await track('S-1', [onFeeder, expected])
  expect(await vesselOf('S-1')).toEqual(['Feeder One', ['S-1']])
  const discharged = event('transshipment_port', 'DISCHARGED', -3, 'Feeder One')
  const next = event('transshipment_port', 'DEPARTED', 2, 'MSC Oscar', 'estimated')
  await track('S-1', [onFeeder, expected, discharged, next])
  await track('S-3', [event('origin_port', 'LOADED', -1, 'Msc Oscar'), expected])
  expect(await vesselOf('S-1')).toEqual(['MSC Oscar', ['S-1', 'S-3']])
  expect(await vesselOf('S-2')).toEqual(['Ever Given', ['S-2']])
})

test('a delay of a vessel concerns neither its other voyages nor what has arrived', async () => {
  const { call, ship } = await started()
  const on = (voyage: string) => ({ booking_information: { ocean_booking: { vessel: 'Ever Given', voyage } } })
  const concerned = async () => {
    const query = { days: 8, vessel: 'true' } as const
    return (await call('simulateDelay', { params: { svc_shipment_id: 'S-1' }, query })).body.shipments
  }
  await ship('S-1', { ...delivery('2098-05-04'), ...on('010W') })
  expect(await concerned()).toEqual(['S-1', 'S-2'])
  await ship('S-2', { ...delivery('2098-05-12'), ...on('10w') })
  expect(await concerned()).toEqual(['S-1', 'S-2'])
  await ship('S-2', { ...delivery('2098-05-12'), ...on('012W') })
  expect(await concerned()).toEqual(['S-1'])
  const arrived = { arrival_date: { date: '2098-05-01T10:00:00+02:00', status: 'actual' } }
  await ship('S-2', {
    main_tracking_dates: { ...delivery('2098-05-12').main_tracking_dates, ...arrived },
    ...on('010W'),
  })
  expect(await concerned()).toEqual(['S-1'])
})
