import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { startService } from '../../support/service.js'
import { startFile, unique, viewOf, whyOf } from '../../support/whole-file.js'

const service = await startService()

test('air: the goods are offloaded, and take the next flight', async () => {
  const file = await startFile(service)
  const { send, work, shipment, revision } = file
  const airline = unique('A')
  const waybill = `020-${String(Date.now() % 1e8).padStart(8, '0')}`
  const id = await shipment({
    status: 'booked',
    freight_mode: 'air',
    load_type: 'lcl',
    cargo_ready_date: '2026-03-02',
    booking_information: { carrier: 'Lufthansa Cargo', master_bill: waybill, air_booking: { flight_number: 'LH8401' } },
  })
  const params = { svc_shipment_id: id }
  await work('planTracking', {
    params,
    body: {
      steps: [
        { id: 'pickup', type: 'pickup', location_id: 1 },
        { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/PVG' } },
        { id: 'hub', type: 'transshipment_port', port: { unlocode: 'DE/FRA' } },
        { id: 'destination', type: 'destination_port', port: { unlocode: 'FR/CDG' } },
        { id: 'delivery', type: 'delivery', location_id: 2 },
      ],
    },
  })
  const sent: unknown[] = []
  let number = 0
  /** In our own form: by the air waybill, at an airport or a step. */
  const says = async (...events: object[]) => {
    const message = { events: events.map((event) => ({ reference: waybill, event_id: `e${++number}`, ...event })) }
    sent.push(message)
    expect(await send(airline, 'events', message)).toMatchObject({
      outcome: 'applied',
      counts: { events: events.length, applied: events.length },
    })
  }
  const operator = (body: OperatorBody<'addEvent'>) => work('addEvent', { params, body })
  const sees = () => viewOf(file, id)

  // The airline confirms the booking.
  await says(
    {
      unlocode: 'CNPVG',
      description: 'Flight departure',
      status: 'planned',
      date: '2026-03-04T22:00:00+08:00',
      issued_at: '2026-02-26T03:00:00Z',
    },
    {
      unlocode: 'FRCDG',
      description: 'Flight arrival',
      status: 'planned',
      date: '2026-03-05T16:00:00+01:00',
      issued_at: '2026-02-26T03:00:00Z',
    },
  )
  await operator({
    step: 'delivery',
    description: 'Delivery',
    code: 'DELIVERED',
    status: 'planned',
    date: '2026-03-07T10:00:00+01:00',
    issued_at: '2026-02-26T09:00:00Z',
  })
  expect.soft(await sees()).toEqual({
    shipment: 'booked',
    tracking: 'pending',
    departure: '4 Mar planned',
    arrival: '5 Mar planned',
    delivery: '7 Mar planned',
  })

  // Picked up, and received at the airport.
  await operator({
    step: 'pickup',
    description: 'Picked up',
    code: 'PICKED_UP',
    status: 'actual',
    date: '2026-03-03T10:00:00+08:00',
    issued_at: '2026-03-03T03:00:00Z',
  })
  expect.soft(await sees()).toMatchObject({
    shipment: 'in_progress',
    tracking: 'at_origin',
    pickup: '3 Mar actual',
    departure: '4 Mar planned',
  })
  await says({
    unlocode: 'CNPVG',
    description: 'Received at airport',
    code: 'GATE_IN',
    status: 'actual',
    date: '2026-03-04T09:00:00+08:00',
    issued_at: '2026-03-04T02:00:00Z',
  })
  await says({
    unlocode: 'CNPVG',
    description: 'Loaded on flight LH8401',
    code: 'LOADED',
    status: 'actual',
    date: '2026-03-04T20:00:00+08:00',
    issued_at: '2026-03-04T12:10:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_origin', departure: '4 Mar estimated', arrival: '5 Mar planned' })

  // Offloaded: the departure is a problem, with the date that is known.
  await says({
    unlocode: 'CNPVG',
    description: 'Offloaded from LH8401',
    code: 'OFFLOADED',
    status: 'actual',
    date: '2026-03-04T21:30:00+08:00',
    issued_at: '2026-03-04T13:40:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_origin', departure: '4 Mar problem', arrival: '5 Mar planned' })
  expect.soft(await whyOf(file, id, 'departure_date')).toContain('Offloaded from LH8401')

  // The next flight.
  await says(
    {
      unlocode: 'CNPVG',
      description: 'Flight departure',
      status: 'estimated',
      date: '2026-03-06T22:00:00+08:00',
      issued_at: '2026-03-05T02:00:00Z',
    },
    {
      unlocode: 'FRCDG',
      description: 'Flight arrival',
      status: 'estimated',
      date: '2026-03-07T16:00:00+01:00',
      issued_at: '2026-03-05T02:00:00Z',
    },
  )
  expect.soft(await sees()).toMatchObject({
    tracking: 'at_origin',
    departure: '6 Mar estimated',
    arrival: '7 Mar estimated',
    delivery: '9 Mar planned',
  })
  await says({
    unlocode: 'CNPVG',
    description: 'Loaded on flight LH8403',
    code: 'LOADED',
    status: 'actual',
    date: '2026-03-06T20:00:00+08:00',
    issued_at: '2026-03-06T12:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'at_origin', departure: '6 Mar estimated' })
  await says({
    unlocode: 'CNPVG',
    description: 'Flight departed',
    code: 'DEPARTED',
    status: 'actual',
    date: '2026-03-06T22:30:00+08:00',
    issued_at: '2026-03-06T14:40:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'in_transit', departure: '6 Mar actual', arrival: '7 Mar estimated' })

  // By the hub to the destination.
  await says({
    unlocode: 'DEFRA',
    description: 'Flight arrived',
    code: 'ARRIVED',
    status: 'actual',
    date: '2026-03-07T05:00:00+01:00',
    issued_at: '2026-03-07T04:20:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_transshipment', departure: '6 Mar actual', arrival: '7 Mar estimated' })
  await says({
    unlocode: 'DEFRA',
    description: 'Flight departed',
    code: 'DEPARTED',
    status: 'actual',
    date: '2026-03-07T13:00:00+01:00',
    issued_at: '2026-03-07T12:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'in_transit', departure: '6 Mar actual' })
  await says({
    unlocode: 'FRCDG',
    description: 'Flight arrived',
    code: 'ARRIVED',
    status: 'actual',
    date: '2026-03-07T14:20:00+01:00',
    issued_at: '2026-03-07T13:30:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'arrived', arrival: '7 Mar actual', delivery: '9 Mar planned' })

  // Text that nobody knows is shown, and moves nothing.
  await says({
    unlocode: 'FRCDG',
    description: 'Arrival notice sent to consignee',
    status: 'actual',
    date: '2026-03-07T15:00:00+01:00',
    issued_at: '2026-03-07T14:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'arrived', arrival: '7 Mar actual', delivery: '9 Mar planned' })

  // A delivery that fails, and one that does not.
  await operator({
    step: 'destination',
    description: 'Customs cleared',
    code: 'CUSTOMS_RELEASED',
    status: 'actual',
    date: '2026-03-09T08:00:00+01:00',
    issued_at: '2026-03-09T07:10:00Z',
  })
  await operator({
    step: 'delivery',
    description: 'Out for delivery',
    code: 'OUT_FOR_DELIVERY',
    status: 'actual',
    date: '2026-03-09T11:00:00+01:00',
    issued_at: '2026-03-09T10:10:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'out_for_delivery', arrival: '7 Mar actual', delivery: '9 Mar planned' })
  await operator({
    step: 'delivery',
    description: 'Delivery failed: nobody there',
    code: 'DELIVERY_FAILED',
    status: 'actual',
    date: '2026-03-09T16:00:00+01:00',
    issued_at: '2026-03-09T15:10:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'out_for_delivery', delivery: '9 Mar problem' })
  await operator({
    step: 'delivery',
    description: 'New appointment',
    code: 'APPOINTMENT',
    status: 'planned',
    date: '2026-03-10T10:00:00+01:00',
    issued_at: '2026-03-09T16:00:00Z',
  })
  expect.soft(await sees()).toMatchObject({ delivery: '10 Mar planned' })
  await operator({
    step: 'delivery',
    description: 'Delivered',
    code: 'DELIVERED',
    status: 'actual',
    date: '2026-03-10T10:20:00+01:00',
    issued_at: '2026-03-10T09:30:00Z',
  })
  const last = await sees()
  expect.soft(last).toEqual({
    shipment: 'in_progress',
    tracking: 'delivered',
    pickup: '3 Mar actual',
    departure: '6 Mar actual',
    arrival: '7 Mar actual',
    delivery: '10 Mar actual',
  })

  const before = await revision()
  for (const message of sent.toReversed())
    expect(await send(airline, 'events', message)).toMatchObject({ outcome: 'duplicate' })
  expect(await revision()).toBe(before)
  expect(await sees()).toEqual(last)
})
