import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { startService } from '../../support/service.js'
import { startFile, unique, viewOf, whyOf } from '../../support/whole-file.js'

const service = await startService()

test('truck: across a border, where customs hold it', async () => {
  const file = await startFile(service)
  const { send, work, shipment, revision, call } = file
  const trucker = unique('T')
  const note = unique('CMR')
  const id = await shipment({
    status: 'booked',
    freight_mode: 'truck',
    load_type: 'fcl',
    cargo_ready_date: '2026-03-02',
    booking_information: { carrier: 'Ekol Logistics', master_bill: note },
  })
  const params = { svc_shipment_id: id }
  await work('planTracking', {
    params,
    body: {
      steps: [
        { id: 'pickup', type: 'pickup', location_id: 1 },
        { id: 'origin', type: 'origin_port', port: { unlocode: 'TR/IST' } },
        { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/MUC' } },
        { id: 'delivery', type: 'delivery', location_id: 2 },
      ],
    },
  })
  const sent: unknown[] = []
  let number = 0
  const says = async (...events: object[]) => {
    const message = events.map((event) => ({ reference: note, event_id: `e${++number}`, ...event }))
    sent.push(message)
    expect(await send(trucker, 'events', message)).toMatchObject({
      outcome: 'applied',
      counts: { events: events.length, applied: events.length },
    })
  }
  const operator = (body: OperatorBody<'addEvent'>) => work('addEvent', { params, body })
  const sees = () => viewOf(file, id)

  await says(
    {
      step: 'pickup',
      description: 'Pick-up',
      code: 'PICKED_UP',
      status: 'planned',
      date: '2026-03-03T09:00:00+03:00',
      issued_at: '2026-02-27T08:00:00Z',
    },
    {
      unlocode: 'TRIST',
      description: 'Truck departure',
      code: 'DEPARTED',
      status: 'planned',
      date: '2026-03-03T14:00:00+03:00',
      issued_at: '2026-02-27T08:00:00Z',
    },
    {
      unlocode: 'DEMUC',
      description: 'Truck arrival',
      code: 'ARRIVED',
      status: 'planned',
      date: '2026-03-06T08:00:00+01:00',
      issued_at: '2026-02-27T08:00:00Z',
    },
    {
      step: 'delivery',
      description: 'Delivery',
      code: 'DELIVERED',
      status: 'planned',
      date: '2026-03-06T14:00:00+01:00',
      issued_at: '2026-02-27T08:00:00Z',
    },
  )
  expect.soft(await sees()).toEqual({
    shipment: 'booked',
    tracking: 'pending',
    pickup: '3 Mar planned',
    departure: '3 Mar planned',
    arrival: '6 Mar planned',
    delivery: '6 Mar planned',
  })

  // The truck comes late to the supplier.
  await says({
    step: 'pickup',
    description: 'Pick-up delayed: truck broke down',
    code: 'DELAYED',
    status: 'problem',
    date: '2026-03-03T09:00:00+03:00',
    issued_at: '2026-03-03T06:30:00Z',
  })
  expect.soft(await sees()).toMatchObject({ shipment: 'booked', tracking: 'pending', pickup: '3 Mar problem' })
  await says({
    step: 'pickup',
    description: 'Picked up',
    code: 'PICKED_UP',
    status: 'actual',
    date: '2026-03-03T16:00:00+03:00',
    issued_at: '2026-03-03T13:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({
    shipment: 'in_progress',
    tracking: 'at_origin',
    pickup: '3 Mar actual',
    departure: '3 Mar planned',
  })
  await operator({
    step: 'origin',
    description: 'Export declaration released',
    code: 'CUSTOMS_CLEARED_EXPORT',
    status: 'actual',
    date: '2026-03-03T18:00:00+03:00',
    issued_at: '2026-03-03T15:10:00Z',
  })
  await says({
    unlocode: 'TRIST',
    description: 'Truck departed',
    code: 'DEPARTED',
    status: 'actual',
    date: '2026-03-03T20:00:00+03:00',
    issued_at: '2026-03-03T17:10:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'in_transit', departure: '3 Mar actual', arrival: '6 Mar planned' })

  // The border is not in the plan: it becomes a place on the way.
  await says({
    unlocode: 'BGKAN',
    description: 'Arrived at border crossing',
    code: 'ARRIVED',
    status: 'actual',
    date: '2026-03-04T02:00:00+02:00',
    issued_at: '2026-03-04T00:10:00Z',
  })
  expect
    .soft((await call('getTracking', { params })).body.tracking_steps?.map(({ type, port }) => port?.unlocode ?? type))
    .toEqual(['pickup', 'TR/IST', 'BG/KAN', 'DE/MUC', 'delivery'])
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_transshipment', departure: '3 Mar actual', arrival: '6 Mar planned' })

  // Customs hold it there: the arrival is a problem, and it stays where it is.
  await says({
    unlocode: 'BGKAN',
    description: 'Held by customs at the border',
    code: 'CUSTOMS_HOLD',
    status: 'actual',
    date: '2026-03-04T04:00:00+02:00',
    issued_at: '2026-03-04T02:10:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_transshipment', arrival: '6 Mar problem', delivery: '6 Mar planned' })
  expect.soft(await whyOf(file, id, 'arrival_date')).toContain('Held by customs at the border')
  await says({
    unlocode: 'BGKAN',
    description: 'Released by customs',
    code: 'CUSTOMS_RELEASED',
    status: 'actual',
    date: '2026-03-05T10:00:00+02:00',
    issued_at: '2026-03-05T08:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'at_transshipment', arrival: '6 Mar planned' })
  await says(
    {
      unlocode: 'BGKAN',
      description: 'Departed from border crossing',
      code: 'DEPARTED',
      status: 'actual',
      date: '2026-03-05T11:00:00+02:00',
      issued_at: '2026-03-05T09:10:00Z',
    },
    {
      unlocode: 'DEMUC',
      description: 'Truck arrival',
      code: 'ARRIVED',
      status: 'estimated',
      date: '2026-03-07T18:00:00+01:00',
      issued_at: '2026-03-05T09:10:00Z',
    },
  )
  expect.soft(await sees()).toMatchObject({
    tracking: 'in_transit',
    departure: '3 Mar actual',
    arrival: '7 Mar estimated',
    delivery: '8 Mar planned',
  })

  // It cannot have been there in the first night: that is kept back, and the customer does not see it.
  expect
    .soft(
      await send(trucker, 'events', [
        {
          reference: note,
          event_id: 'wrong',
          unlocode: 'DEMUC',
          description: 'Truck arrived',
          code: 'ARRIVED',
          status: 'actual',
          date: '2026-03-04T03:00:00+01:00',
          issued_at: '2026-03-05T10:10:00Z',
        },
      ]),
    )
    .toMatchObject({ outcome: 'quarantined' })
  expect.soft(await sees()).toMatchObject({ tracking: 'in_transit', arrival: '7 Mar estimated' })

  await says({
    unlocode: 'DEMUC',
    description: 'Truck arrived',
    code: 'ARRIVED',
    status: 'actual',
    date: '2026-03-07T16:00:00+01:00',
    issued_at: '2026-03-07T15:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'arrived', arrival: '7 Mar actual', delivery: '7 Mar planned' })
  await says({
    step: 'delivery',
    description: 'Delivery',
    code: 'DELIVERED',
    status: 'estimated',
    date: '2026-03-09T08:00:00+01:00',
    issued_at: '2026-03-07T15:30:00Z',
  })
  expect.soft(await sees()).toMatchObject({ delivery: '9 Mar estimated' })
  await says({
    step: 'delivery',
    description: 'Out for delivery',
    code: 'OUT_FOR_DELIVERY',
    status: 'actual',
    date: '2026-03-09T07:00:00+01:00',
    issued_at: '2026-03-09T06:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'out_for_delivery', delivery: '9 Mar estimated' })
  await says({
    step: 'delivery',
    description: 'Delivered',
    code: 'DELIVERED',
    status: 'actual',
    date: '2026-03-09T08:30:00+01:00',
    issued_at: '2026-03-09T07:40:00Z',
  })
  const last = await sees()
  expect.soft(last).toEqual({
    shipment: 'in_progress',
    tracking: 'delivered',
    pickup: '3 Mar actual',
    departure: '3 Mar actual',
    arrival: '7 Mar actual',
    delivery: '9 Mar actual',
  })

  const before = await revision()
  for (const message of sent.toReversed())
    expect(await send(trucker, 'events', message)).toMatchObject({ outcome: 'duplicate' })
  expect(await revision()).toBe(before)
  expect(await sees()).toEqual(last)
})
