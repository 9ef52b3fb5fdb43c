import { expect, test } from 'vitest'
import { line } from '../../support/account.js'
import { startService } from '../../support/service.js'
import { startFile, unique, viewOf } from '../../support/whole-file.js'

const service = await startService()

/** At a port or a step, on a date of 2026. */
function event(where: string, description: string, status: string, date: string, issued: string, code?: string) {
  const place = /^[A-Z]{5}$/.test(where) ? { unlocode: where } : { step: where }
  return { ...place, description, status, date: `2026-${date}`, issued_at: `2026-${issued}`, ...(code && { code }) }
}

test('LCL: one order on two shipments, which are consolidated, arrive and are delivered apart', async () => {
  const file = await startFile(service)
  const { send, work, shipment, call, revision } = file
  const coloader = unique('L')
  const order = unique('PO')
  const bills = [unique('HBL'), unique('HBL')] as [string, string]
  await call('createPurchaseOrder', {
    body: {
      reference: order,
      product_lines: [
        line({ reference: '1', ordered_quantity: 100 }),
        line({ reference: '2', ordered_quantity: 30, sku: 'SKU-2' }),
      ],
    },
  })
  const ship = async (house_bill: string) => {
    const svc_shipment_id = await shipment({
      status: 'booked',
      freight_mode: 'ocean',
      load_type: 'lcl',
      cargo_ready_date: '2026-03-01',
      booking_information: { house_bill },
    })
    await work('planTracking', {
      params: { svc_shipment_id },
      body: {
        steps: [
          { id: 'pickup', type: 'pickup', location_id: 1 },
          { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/SHA' } },
          { id: 'destination', type: 'destination_port', port: { unlocode: 'NL/RTM' } },
          { id: 'delivery', type: 'delivery', location_id: 2 },
        ],
      },
    })
    return svc_shipment_id
  }
  const [first, second] = [await ship(bills[0]), await ship(bills[1])]
  const assign = (svc_shipment_id: string, of: string, assigned_quantity: number) =>
    work('assign', { params: { reference: order, line: of, svc_shipment_id }, body: { assigned_quantity } })
  await assign(first, '1', 60)
  await assign(second, '1', 40)
  await assign(second, '2', 30)

  const sent: unknown[] = []
  let number = 0
  const says = async (...events: object[]) => {
    const message = events.map((each) => ({ event_id: `e${++number}`, ...each }))
    sent.push(message)
    expect(await send(coloader, 'events', message)).toMatchObject({
      outcome: 'applied',
      counts: { events: events.length, applied: events.length },
    })
  }
  const sees = async () => [await viewOf(file, first), await viewOf(file, second)]
  /** What the order shows: the quantities on each shipment, and the orders that each shipment names. */
  const ordered = async () => {
    const { body } = await call('getPurchaseOrder', { params: { reference: order } })
    const { body: one } = await call('getShipment', { params: { svc_shipment_id: first } })
    const { body: other } = await call('getShipment', { params: { svc_shipment_id: second } })
    expect.soft([one.purchase_order_references, other.purchase_order_references]).toEqual([[order], [order]])
    return body.purchase_order_lines.map(({ reference, assigned_order_lines }) => [
      reference,
      Object.fromEntries(
        (assigned_order_lines ?? []).map((each) => [
          each.svc_shipment_id === first ? 'first' : 'second',
          each.assigned_quantity,
        ]),
      ),
    ])
  }
  expect.soft(await ordered()).toEqual([
    ['1', { first: 60, second: 40 }],
    ['2', { second: 30 }],
  ])

  // One box for both: the plan of the co-loader names both house bills.
  const both = (stated: object) => bills.map((reference) => ({ reference, ...stated }))
  await says(
    ...both(event('CNSHA', 'Vessel departure', 'planned', '03-12T08:00:00+08:00', '02-25T08:00:00Z')),
    ...both(event('NLRTM', 'Vessel arrival', 'planned', '04-14T08:00:00+02:00', '02-25T08:00:00Z')),
    ...both(event('delivery', 'Delivery', 'planned', '04-20T08:00:00+02:00', '02-25T08:00:00Z', 'DELIVERED')),
  )
  const planned = {
    shipment: 'booked',
    tracking: 'pending',
    departure: '12 Mar planned',
    arrival: '14 Apr planned',
    delivery: '20 Apr planned',
  }
  expect.soft(await sees()).toEqual([planned, planned])

  // An event that names both at once fits two shipments: it waits for an operator, and moves nothing.
  expect
    .soft(
      await send(coloader, 'events', [
        {
          references: bills,
          unlocode: 'CNSHA',
          description: 'Gate in',
          status: 'actual',
          date: '2026-03-05T08:00:00+08:00',
        },
      ]),
    )
    .toMatchObject({ outcome: 'unmatched' })
  expect.soft(await sees()).toEqual([planned, planned])

  // Picked up on different days, stuffed into one container.
  await says({
    reference: bills[0],
    ...event('pickup', 'Picked up', 'actual', '03-03T10:00:00+08:00', '03-03T03:00:00Z'),
  })
  expect.soft(await sees()).toMatchObject([
    { shipment: 'in_progress', tracking: 'at_origin', pickup: '3 Mar actual' },
    { shipment: 'booked', tracking: 'pending' },
  ])
  await says({
    reference: bills[1],
    ...event('pickup', 'Picked up', 'actual', '03-04T10:00:00+08:00', '03-04T03:00:00Z'),
  })
  await says(...both(event('CNSHA', 'Received at CFS', 'actual', '03-06T10:00:00+08:00', '03-06T03:00:00Z', 'GATE_IN')))
  await says(...both(event('CNSHA', 'Stuffed', 'actual', '03-08T10:00:00+08:00', '03-08T03:00:00Z', 'STUFFED')))
  expect.soft(await sees()).toMatchObject([
    { shipment: 'in_progress', tracking: 'at_origin', pickup: '3 Mar actual', departure: '12 Mar planned' },
    { shipment: 'in_progress', tracking: 'at_origin', pickup: '4 Mar actual', departure: '12 Mar planned' },
  ])

  // The vessel departs and arrives with both.
  await says(...both(event('CNSHA', 'Loaded on vessel', 'actual', '03-11T20:00:00+08:00', '03-11T13:00:00Z')))
  expect
    .soft(await sees())
    .toMatchObject([{ tracking: 'at_origin', departure: '12 Mar estimated' }, { departure: '12 Mar estimated' }])
  await says(...both(event('CNSHA', 'Vessel departed', 'actual', '03-12T11:00:00+08:00', '03-12T04:00:00Z')))
  expect.soft(await sees()).toMatchObject([
    { tracking: 'in_transit', departure: '12 Mar actual', arrival: '14 Apr planned' },
    { tracking: 'in_transit', departure: '12 Mar actual', arrival: '14 Apr planned' },
  ])
  await says(...both(event('NLRTM', 'Vessel arrival', 'estimated', '04-16T08:00:00+02:00', '04-02T08:00:00Z')))
  expect.soft(await sees()).toMatchObject([
    { arrival: '16 Apr estimated', delivery: '22 Apr planned' },
    { arrival: '16 Apr estimated', delivery: '22 Apr planned' },
  ])
  await says(...both(event('NLRTM', 'Vessel arrived', 'actual', '04-15T23:00:00+02:00', '04-15T22:00:00Z')))
  await says(...both(event('NLRTM', 'Discharged', 'actual', '04-16T15:00:00+02:00', '04-16T14:00:00Z')))
  const arrived = { shipment: 'in_progress', tracking: 'arrived', arrival: '15 Apr actual', delivery: '21 Apr planned' }
  expect.soft(await sees()).toMatchObject([arrived, arrived])

  // The box is stripped at the warehouse of the co-loader: nothing is delivered by that.
  await says(
    ...both(event('NLRTM', 'Stripped at CFS', 'actual', '04-17T10:00:00+02:00', '04-17T09:00:00Z', 'STRIPPED')),
  )
  expect.soft(await sees()).toMatchObject([arrived, arrived])

  // Customs clear one and hold the other.
  await says(
    { reference: bills[0], ...event('NLRTM', 'Customs cleared', 'actual', '04-18T10:00:00+02:00', '04-18T09:00:00Z') },
    {
      reference: bills[1],
      ...event('NLRTM', 'Held by customs', 'actual', '04-18T10:00:00+02:00', '04-18T09:00:00Z', 'CUSTOMS_HOLD'),
    },
  )
  expect.soft(await sees()).toMatchObject([arrived, { ...arrived, delivery: '21 Apr problem' }])
  await says({
    reference: bills[0],
    ...event('delivery', 'Delivered', 'actual', '04-20T11:00:00+02:00', '04-20T10:00:00Z'),
  })
  expect.soft(await sees()).toMatchObject([
    { tracking: 'delivered', delivery: '20 Apr actual' },
    { tracking: 'arrived', delivery: '21 Apr problem' },
  ])
  await work('moveShipment', { params: { svc_shipment_id: first }, body: { status: 'finished' } })
  expect.soft(await ordered()).toEqual([
    ['1', { first: 60, second: 40 }],
    ['2', { second: 30 }],
  ])

  await says({
    reference: bills[1],
    ...event('NLRTM', 'Released by customs', 'actual', '04-22T10:00:00+02:00', '04-22T09:00:00Z', 'CUSTOMS_RELEASED'),
  })
  await says({
    reference: bills[1],
    ...event('delivery', 'Delivery', 'estimated', '04-24T08:00:00+02:00', '04-22T10:00:00Z', 'DELIVERED'),
  })
  expect.soft(await sees()).toMatchObject([{}, { tracking: 'arrived', delivery: '24 Apr estimated' }])
  await says({
    reference: bills[1],
    ...event('delivery', 'Delivered', 'actual', '04-23T15:00:00+02:00', '04-23T14:00:00Z'),
  })
  const last = await sees()
  expect.soft(last).toMatchObject([
    {
      tracking: 'delivered',
      pickup: '3 Mar actual',
      departure: '12 Mar actual',
      arrival: '15 Apr actual',
      delivery: '20 Apr actual',
    },
    {
      tracking: 'delivered',
      pickup: '4 Mar actual',
      departure: '12 Mar actual',
      arrival: '15 Apr actual',
      delivery: '23 Apr actual',
    },
  ])

  const before = await revision()
  for (const message of sent.toReversed())
    expect(await send(coloader, 'events', message)).toMatchObject({ outcome: 'duplicate' })
  expect(await revision()).toBe(before)
  expect(await sees()).toEqual(last)
})
