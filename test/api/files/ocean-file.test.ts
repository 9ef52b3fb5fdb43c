import { expect, test } from 'vitest'
import type { OperatorBody } from '../../../src/contract/operator/operations.js'
import { hamburg, ofContainer, ofVessel } from '../../support/dcsa-events.js'
import { uniqueContainer } from '../../support/messages.js'
import { startService } from '../../support/service.js'
import { startFile, unique, viewOf, whyOf } from '../../support/whole-file.js'

const service = await startService()

test('ocean: two containers, a transshipment, a rollover, a hold and two deliveries', async () => {
  const file = await startFile(service)
  const { send, work, shipment, revision } = file
  const carrier = unique('C')
  const booking = unique('BK')
  const [one, two] = [uniqueContainer(), uniqueContainer()]
  const id = await shipment({
    status: 'booked',
    freight_mode: 'ocean',
    cargo_ready_date: '2026-03-01',
    cargo: { containers: [{ container_number: one }, { container_number: two }] },
    booking_information: { ocean_booking: { booking_number: booking } },
  })
  const params = { svc_shipment_id: id }
  await work('planTracking', {
    params,
    body: {
      steps: [
        { id: 'pickup', type: 'pickup', location_id: 1 },
        { id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } },
        { id: 'hub', type: 'transshipment_port', port: { unlocode: 'SG/SIN' } },
        { id: 'destination', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
        { id: 'delivery', type: 'delivery', location_id: 2 },
      ],
    },
  })
  const sent: unknown[] = []
  const dcsa = async (...events: object[]) => {
    sent.push(events)
    expect(await send(carrier, 'dcsa', events)).toMatchObject({ outcome: 'applied', counts: { events: events.length } })
  }
  const says = (body: OperatorBody<'addEvent'>) => work('addEvent', { params, body })
  const sees = () => viewOf(file, id)
  const why = (milestone: Parameters<typeof whyOf>[2]) => whyOf(file, id, milestone)

  // The plan of the carrier and of the forwarder.
  await dcsa(
    ofVessel('first', booking, { at: 'CNNGB', code: 'DEPA', on: '03-09T08:00', status: 'PLN', issued: '02-20T09:00' }),
    ofVessel('first', booking, {
      at: 'DEHAM',
      code: 'ARRI',
      on: '04-08T08:00',
      zone: hamburg,
      status: 'PLN',
      issued: '02-20T09:00',
    }),
  )
  await says({
    step: 'pickup',
    description: 'Pick-up',
    code: 'PICKED_UP',
    status: 'planned',
    date: '2026-03-04T09:00:00+08:00',
    issued_at: '2026-02-20T10:00:00Z',
  })
  await says({
    step: 'delivery',
    description: 'Delivery',
    code: 'DELIVERED',
    status: 'planned',
    date: '2026-04-11T09:00:00+02:00',
    issued_at: '2026-02-20T10:00:00Z',
  })
  expect.soft(await sees()).toEqual({
    shipment: 'booked',
    tracking: 'pending',
    pickup: '4 Mar planned',
    departure: '9 Mar planned',
    arrival: '8 Apr planned',
    delivery: '11 Apr planned',
  })

  // Empty containers leave the depot: nothing of the shipment has moved.
  for (const container of [one, two])
    await dcsa(
      ofContainer(container, booking, {
        at: 'CNNGB',
        code: 'GTOT',
        on: '03-02T10:00',
        empty: true,
        issued: '03-02T03:00',
      }),
    )
  expect.soft(await sees()).toMatchObject({ shipment: 'booked', tracking: 'pending', pickup: '4 Mar planned' })

  // Both are picked up, and enter the terminal.
  for (const container_number of [one, two])
    await says({
      step: 'pickup',
      description: 'Picked up',
      code: 'PICKED_UP',
      status: 'actual',
      container_number,
      date: '2026-03-04T11:00:00+08:00',
      issued_at: '2026-03-04T04:00:00Z',
    })
  expect.soft(await sees()).toMatchObject({ shipment: 'in_progress', tracking: 'at_origin', pickup: '4 Mar actual' })
  for (const container of [one, two])
    await dcsa(ofContainer(container, booking, { at: 'CNNGB', code: 'GTIN', on: '03-06T10:00', issued: '03-06T03:00' }))
  expect.soft(await sees()).toMatchObject({ tracking: 'at_origin', pickup: '4 Mar actual', departure: '9 Mar planned' })

  // One is loaded, the other rolled.
  await dcsa(ofContainer(one, booking, { at: 'CNNGB', code: 'LOAD', on: '03-08T20:00', issued: '03-08T13:00' }))
  await says({
    step: 'origin',
    description: 'Rolled to the next sailing',
    code: 'ROLLED',
    status: 'actual',
    container_number: two,
    date: '2026-03-08T22:00:00+08:00',
    issued_at: '2026-03-08T15:00:00Z',
  })
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_origin', departure: '9 Mar problem', arrival: '8 Apr planned' })
  expect.soft(await why('departure_date')).toContain('Rolled to the next sailing')

  // The vessel departs without it.
  await dcsa(ofVessel('first', booking, { at: 'CNNGB', code: 'DEPA', on: '03-10T06:00', issued: '03-09T23:00' }))
  expect
    .soft(await sees())
    .toMatchObject({ tracking: 'at_origin', departure: '9 Mar problem', arrival: '8 Apr planned' })

  // A new date ends the problem; the arrival moves with it.
  await dcsa(
    ofVessel('next', booking, { at: 'CNNGB', code: 'DEPA', on: '03-17T08:00', status: 'EST', issued: '03-10T09:00' }, [
      two,
    ]),
    ofVessel(
      'next',
      booking,
      { at: 'DEHAM', code: 'ARRI', on: '04-15T08:00', zone: hamburg, status: 'EST', issued: '03-10T09:00' },
      [two],
    ),
  )
  expect.soft(await sees()).toMatchObject({
    tracking: 'at_origin',
    departure: '17 Mar estimated',
    arrival: '15 Apr estimated',
    delivery: '18 Apr planned',
  })

  // The other container is loaded and departs: now both have.
  await dcsa(
    ofContainer(two, booking, { at: 'CNNGB', code: 'LOAD', on: '03-16T20:00', issued: '03-16T13:00' }),
    ofVessel('next', booking, { at: 'CNNGB', code: 'DEPA', on: '03-17T10:00', issued: '03-17T03:00' }, [two]),
  )
  expect.soft(await sees()).toMatchObject({
    tracking: 'in_transit',
    departure: '17 Mar actual',
    arrival: '15 Apr estimated',
  })

  // The transshipment: the shipment is there once its last container is.
  await dcsa(
    ofVessel('first', booking, { at: 'SGSIN', code: 'ARRI', on: '03-17T20:00', issued: '03-17T13:00' }, [one]),
    ofContainer(one, booking, { at: 'SGSIN', code: 'DISC', on: '03-18T06:00', issued: '03-17T23:00' }),
  )
  expect.soft(await sees()).toMatchObject({
    tracking: 'in_transit',
    departure: '17 Mar actual',
    arrival: '15 Apr estimated',
  })
  await dcsa(
    ofVessel('next', booking, { at: 'SGSIN', code: 'ARRI', on: '03-23T20:00', issued: '03-23T13:00' }, [two]),
    ofContainer(two, booking, { at: 'SGSIN', code: 'DISC', on: '03-24T06:00', issued: '03-23T23:00' }),
  )
  expect.soft(await sees()).toMatchObject({ tracking: 'at_transshipment', arrival: '15 Apr estimated' })
  for (const container of [one, two])
    await dcsa(ofContainer(container, booking, { at: 'SGSIN', code: 'LOAD', on: '03-26T06:00', issued: '03-25T23:00' }))
  await dcsa(
    ofVessel('next', booking, { at: 'SGSIN', code: 'DEPA', on: '03-26T18:00', issued: '03-26T11:00' }, [one, two]),
    ofVessel(
      'next',
      booking,
      { at: 'DEHAM', code: 'ARRI', on: '04-18T08:00', zone: hamburg, status: 'EST', issued: '03-27T09:00' },
      [one, two],
    ),
  )
  expect.soft(await sees()).toMatchObject({
    tracking: 'in_transit',
    departure: '17 Mar actual',
    arrival: '18 Apr estimated',
    delivery: '21 Apr planned',
  })

  // Cleared before the arrival: that is no arrival.
  await dcsa(
    ofContainer(one, booking, { at: 'DEHAM', code: 'CUSR', on: '04-15T10:00', zone: hamburg, issued: '04-15T09:00' }),
  )
  expect.soft(await sees()).toMatchObject({ tracking: 'in_transit', arrival: '18 Apr estimated' })

  // Arrival and discharge.
  await dcsa(
    ofVessel('next', booking, { at: 'DEHAM', code: 'ARRI', on: '04-17T22:00', zone: hamburg, issued: '04-17T21:00' }, [
      one,
      two,
    ]),
    ofContainer(one, booking, { at: 'DEHAM', code: 'DISC', on: '04-18T08:00', zone: hamburg, issued: '04-18T07:00' }),
    ofContainer(two, booking, { at: 'DEHAM', code: 'DISC', on: '04-18T09:00', zone: hamburg, issued: '04-18T08:00' }),
  )
  expect.soft(await sees()).toMatchObject({ tracking: 'arrived', arrival: '17 Apr actual' })

  // Customs hold the other one: the delivery is a problem, the place stays.
  await says({
    step: 'delivery',
    description: 'Delivery',
    code: 'DELIVERED',
    status: 'estimated',
    date: '2026-04-21T09:00:00+02:00',
    issued_at: '2026-04-18T10:00:00Z',
  })
  await dcsa(
    ofContainer(two, booking, { at: 'DEHAM', code: 'CUSI', on: '04-19T10:00', zone: hamburg, issued: '04-19T09:00' }),
  )
  expect.soft(await sees()).toMatchObject({ tracking: 'arrived', arrival: '17 Apr actual', delivery: '21 Apr problem' })

  // The first delivery.
  await dcsa(
    ofContainer(one, booking, { at: 'DEHAM', code: 'GTOT', on: '04-20T08:00', zone: hamburg, issued: '04-20T07:00' }),
  )
  await says({
    step: 'delivery',
    description: 'Delivered',
    code: 'DELIVERED',
    status: 'actual',
    container_number: one,
    date: '2026-04-20T14:00:00+02:00',
    issued_at: '2026-04-20T12:30:00Z',
  })
  expect.soft(await sees()).toMatchObject({ shipment: 'in_progress', tracking: 'arrived', delivery: '21 Apr problem' })

  // Released, with a new appointment.
  await dcsa(
    ofContainer(two, booking, { at: 'DEHAM', code: 'CUSR', on: '04-22T10:00', zone: hamburg, issued: '04-22T09:00' }),
  )
  expect.soft(await sees()).toMatchObject({ tracking: 'arrived', delivery: '21 Apr estimated' })
  await says({
    step: 'delivery',
    description: 'Delivery appointment',
    code: 'APPOINTMENT',
    status: 'planned',
    container_number: two,
    date: '2026-04-24T09:00:00+02:00',
    issued_at: '2026-04-22T10:00:00Z',
  })
  expect.soft(await sees()).toMatchObject({ delivery: '24 Apr planned' })

  // The second delivery, and the empty containers.
  await dcsa(
    ofContainer(two, booking, { at: 'DEHAM', code: 'GTOT', on: '04-24T06:00', zone: hamburg, issued: '04-24T05:00' }),
  )
  expect.soft(await sees()).toMatchObject({ tracking: 'out_for_delivery', delivery: '24 Apr planned' })
  await says({
    step: 'delivery',
    description: 'Delivered',
    code: 'DELIVERED',
    status: 'actual',
    container_number: two,
    date: '2026-04-24T09:30:00+02:00',
    issued_at: '2026-04-24T08:00:00Z',
  })
  expect.soft(await sees()).toMatchObject({ tracking: 'delivered', delivery: '24 Apr actual' })
  for (const container of [one, two])
    await dcsa(
      ofContainer(container, booking, {
        at: 'DEHAM',
        code: 'GTIN',
        on: '04-26T10:00',
        zone: hamburg,
        empty: true,
        facility: 'DEPO',
        issued: '04-26T09:00',
      }),
    )
  const last = await sees()
  expect(last).toEqual({
    shipment: 'in_progress',
    tracking: 'delivered',
    pickup: '4 Mar actual',
    departure: '17 Mar actual',
    arrival: '17 Apr actual',
    delivery: '24 Apr actual',
  })

  // The carrier sends all of it again, the last first: nothing changes.
  const before = await revision()
  for (const events of sent.toReversed())
    expect(await send(carrier, 'dcsa', events)).toMatchObject({ outcome: 'duplicate' })
  expect(await revision()).toBe(before)
  expect.soft(await sees()).toEqual(last)
})
