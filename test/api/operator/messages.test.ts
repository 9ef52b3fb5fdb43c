import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { containerEvent, containerEventInWords, startCarrier, vesselEvent } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('the events of a message in DCSA 2.2 become dates of the shipment that they are about', async () => {
  const { ship, send, booking, containers, dates, tracked, seen } = await startCarrier(service)
  const id = await ship()
  const [one, other] = containers
  const message = await send([
    vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', status: 'EST', day: 9, issued: 1 }),
    ...[one, other].flatMap((container) => [
      containerEvent(container, { at: 'CNNGB', code: 'GTOT', day: 2, empty: true }),
      containerEvent(container, { at: 'CNNGB', code: 'LOAD', day: 8, booking }),
    ]),
    vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', day: 10, issued: 10 }),
    vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day: 30, issued: 10 }),
  ])
  expect(message).toMatchObject({ outcome: 'applied', counts: { events: 7, applied: 7 } })
  expect(message.events[1]).toMatchObject({ code: 'EMPTY_OUT', source_code: 'GTOT', svc_shipment_id: id })
  expect(await dates(id)).toMatchObject({
    departure_date: { date: '2026-03-10T08:00:00+08:00', status: 'actual' },
    arrival_date: { date: '2026-03-30T08:00:00+08:00', status: 'estimated' },
  })
  expect(await seen(id)).toMatchObject({ status: 'in_progress' })
  const origin = (await tracked(id)).tracking_steps?.[1]
  expect(origin?.events).toContainEqual({
    description: 'Departure (vessel Elbe Horizon 014W)',
    date: '2026-03-10T08:00:00+08:00',
    status: 'actual',
  })
  expect(origin?.events?.filter(({ container_number }) => container_number === one)).toHaveLength(1)
})

test('one event, a list, and `events` in letters or words are read by their form', async () => {
  const { ship, send, containers, dates, work } = await startCarrier(service)
  const svc_shipment_id = await ship()
  const [one, other] = containers
  const single = containerEvent(one, { at: 'CNNGB', code: 'LOAD', day: 8, id: 'e-1' })
  expect(await send(single)).toMatchObject({ outcome: 'applied', counts: { events: 1 } })
  const inWords = {
    id: 'e-2',
    updated: '2026-03-08T10:00:00Z',
    type: 'LOADED',
    at: 'CNNGB',
    date: '2026-03-08T09:00:00+08:00',
  }
  expect(await send({ events: [containerEventInWords(other, inWords)] })).toMatchObject({
    outcome: 'applied',
    events: [{ code: 'LOADED', source_event_id: 'NSLU e-2' }],
  })
  const { eventID, eventCreatedDateTime, eventType, ...payload } = containerEvent(one, {
    at: 'CNNGB',
    code: 'GTIN',
    day: 7,
    id: 'e-3',
  })
  expect(await send({ metadata: { eventID, eventCreatedDateTime, eventType }, payload })).toMatchObject({
    outcome: 'applied',
    events: [{ code: 'GATE_IN' }],
  })
  const { body } = await work('getTracking', { params: { svc_shipment_id } })
  expect(body.steps[1]?.events.map(({ code }) => code)).toEqual(['LOADED', 'LOADED', 'GATE_IN'])
  expect((await dates(svc_shipment_id)).departure_date?.status).toBe('estimated')
})

test('a message that comes again changes nothing, and neither does an older version of an event', async () => {
  const { ship, send, booking, dates, revision } = await startCarrier(service)
  const id = await ship()
  const arrival = (day: number, issued: number) =>
    vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day, issued, id: 'eta-1' })
  const first = await send([arrival(20, 2)])
  const newer = await send([arrival(25, 4)])
  expect(newer).toMatchObject({ outcome: 'applied' })
  const before = await revision()
  expect(await send([arrival(25, 4)])).toMatchObject({
    outcome: 'duplicate',
    reason: `It has the same bytes as message ${newer.message_id}.`,
  })
  expect(await send([arrival(22, 3)])).toMatchObject({
    outcome: 'duplicate',
    events: [{ outcome: 'unchanged', reason: 'a newer version is known' }],
  })
  expect(await revision()).toBe(before)
  expect(first.message_id).toBeLessThan(newer.message_id)
  expect((await dates(id)).arrival_date?.date).toBe('2026-03-25T08:00:00+08:00')
})

test('a retracted event no longer counts, also if the retraction comes first', async () => {
  const { ship, send, containers, dates, tracked, seen } = await startCarrier(service)
  const id = await ship()
  const loaded = (container: string, updated: string, retracted = false) => ({
    events: [
      containerEventInWords(container, {
        id: `load ${container}`,
        updated,
        type: 'LOADED',
        at: 'CNNGB',
        date: '2026-03-08T09:00:00+08:00',
        retracted,
      }),
    ],
  })
  const [one, other] = containers
  await send(loaded(one, '2026-03-08T10:00:00Z'))
  expect((await seen(id)).status).toBe('in_progress')
  expect(await send(loaded(one, '2026-03-08T12:00:00Z', true))).toMatchObject({ outcome: 'applied' })
  expect(await send(loaded(other, '2026-03-08T12:00:00Z', true))).toMatchObject({ outcome: 'applied' })
  expect(await send(loaded(other, '2026-03-08T10:00:00Z'))).toMatchObject({ outcome: 'duplicate' })
  expect((await tracked(id)).tracking_steps?.flatMap(({ events = [] }) => events)).toEqual([])
  expect(await dates(id)).toEqual({})
  expect((await seen(id)).status).toBe('booked')
  expect(await send(loaded(one, '2026-03-09T10:00:00Z'))).toMatchObject({ outcome: 'applied' })
  expect((await dates(id)).departure_date?.status).toBe('estimated')
})

test('a wrong event of a message is named with its reason, and the others are applied', async () => {
  const { ship, send, containers, dates } = await startCarrier(service)
  const id = await ship()
  const [one] = containers
  const right = containerEvent(one, { at: 'DEHAM', code: 'DISC', day: 30 })
  const message = await send([
    right,
    { ...right, eventDateTime: 'yesterday' },
    { ...right, equipmentEventTypeCode: 'JUMP' },
    { ...right, eventClassifierCode: undefined },
    { ...right, eventType: 'PARTY' },
    'not an event',
    {
      ...right,
      eventID: 'future',
      eventDateTime: '2999-01-01T00:00:00Z',
      eventCreatedDateTime: '2026-03-31T00:00:00Z',
    },
  ])
  expect(message).toMatchObject({
    outcome: 'quarantined',
    counts: { events: 7, applied: 1, invalid: 5, quarantined: 1 },
  })
  expect(message.events.map(({ reason }) => reason)).toEqual([
    undefined,
    'eventDateTime is "yesterday": it must be a date with time and offset',
    'equipmentEventTypeCode is "JUMP": it is not one of the standard',
    'eventClassifierCode is required',
    'eventType is "PARTY": it is not one of the standard',
    'must be an object',
    'the actual date is later than its receipt',
  ])
  expect((await dates(id)).delivery_date).toBeUndefined()
})

test('the status of a document is kept and moves nothing', async () => {
  const { ship, send, booking, dates, revision } = await startCarrier(service)
  const id = await ship()
  const before = await revision()
  const confirmed = {
    eventID: 'doc-1',
    eventCreatedDateTime: '2026-03-01T10:00:00Z',
    eventType: 'SHIPMENT',
    eventClassifierCode: 'ACT',
    eventDateTime: '2026-03-01T10:00:00Z',
    shipmentEventTypeCode: 'CONF',
    documentTypeCode: 'BKG',
    documentID: booking,
  }
  expect(await send(confirmed)).toMatchObject({
    outcome: 'applied',
    events: [{ outcome: 'kept', source_code: 'SHIPMENT CONF BKG', svc_shipment_id: id }],
  })
  expect(await revision()).toBe(before)
  expect(await dates(id)).toEqual({})
})

test('the status of a document of nobody waits for no shipment', async () => {
  const { send, booking, ops } = await startCarrier(service)
  const draft = {
    eventCreatedDateTime: '2026-03-01T10:00:00Z',
    eventType: 'SHIPMENT',
    eventClassifierCode: 'ACT',
    eventDateTime: '2026-03-01T10:00:00Z',
    shipmentEventTypeCode: 'DRFT',
    documentTypeCode: 'BKG',
    documentID: booking,
  }
  const { outcome, message_id } = await send(draft)
  expect(outcome).toBe('applied')
  const { body } = await ops('listMessages', undefined, { query: { reference: booking } })
  expect(body.messages).toMatchObject([{ message_id, counts: { kept: 1 } }])
})

test('an event of a vessel reaches a shipment whose containers are not known yet, and one of a container does not', async () => {
  const { booked, send, booking, work, dates, containers } = await startCarrier(service)
  const svc_shipment_id = await booked()
  const body = { cargo: null, route: { origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'DE/HAM' } }
  await work('updateShipment', { params: { svc_shipment_id }, body })
  const departed = {
    ...vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', day: 9 }),
    references: [{ referenceType: 'EQ', referenceValue: containers[0] }],
  }
  expect(await send(departed)).toMatchObject({ outcome: 'applied' })
  // It had no plan: that of its route is taken.
  expect(await dates(svc_shipment_id)).toMatchObject({ departure_date: { status: 'actual' } })
  const discharged = containerEvent(containers[0], { at: 'DEHAM', code: 'DISC', day: 30, booking })
  expect(await send(discharged)).toMatchObject({
    outcome: 'unmatched',
    reason: `Event 1: the shipment of this booking or bill has no container ${containers[0]}.`,
  })
})

test('what cannot be read is stored with the reason', async () => {
  const { post, ops } = await startCarrier(service)
  for (const [content, reason] of [
    ['{"eventType": ', 'The message is not valid JSON in UTF-8.'],
    [
      '{"hello": 1}',
      'The message is no DCSA message: it must be an event, a list of events, or an object with `events`.',
    ],
    ['[]', 'The message has no events.'],
  ] as const) {
    const { body } = await post(content)
    expect(body).toMatchObject({ outcome: 'unreadable', reason, size: content.length })
    const params = { message_id: String(body.message_id) }
    const { text, headers } = await ops('getMessageContent', undefined, { params })
    expect(text).toBe(content)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toContain('attachment')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(body.hash).toBe(createHash('sha256').update(content).digest('hex'))
  }
})

test('our own events name a shipment by any reference', async () => {
  const { ship, send, booking, containers, dates } = await startCarrier(service)
  const id = await ship()
  const message = await send(
    {
      events: [
        {
          reference: booking,
          description: 'Vessel departed',
          status: 'actual',
          date: '2026-03-09T10:00:00+08:00',
          unlocode: 'CN/NGB',
        },
        {
          container_number: containers[0],
          description: 'Delivered',
          code: 'DELIVERED',
          status: 'estimated',
          date: '2026-04-20T10:00:00+02:00',
        },
        { reference: booking, description: 'Vessel departed', status: 'happened', date: '2026-03-09T10:00:00+08:00' },
      ],
    },
    'events',
  )
  expect(message).toMatchObject({ outcome: 'quarantined', counts: { events: 3, applied: 2, invalid: 1 } })
  expect(message.events[2]?.reason).toMatch(/^status /)
  expect(await dates(id)).toMatchObject({
    departure_date: { status: 'actual' },
    delivery_date: { status: 'estimated' },
  })
})

test('a message without a body, without a sender or in an unknown format is refused', async () => {
  const { post } = await startCarrier(service)
  expect(await post('')).toBeRefused('malformed_request')
  expect(await post('[]', 'cuscar')).toBeRefused('invalid_request')
  expect(await post('[]', 'dcsa', '')).toBeRefused('invalid_request')
})

test('of two versions of an event that were issued at the same time the same one wins in either order', async () => {
  const { ship, post, sender, containers, tracked } = await startCarrier(service)
  const version = (day: number) =>
    JSON.stringify(containerEvent(containers[0], { at: 'CNNGB', code: 'LOAD', day, issued: 9, id: 'e-1' }))
  const id = await ship()
  for (const day of [7, 8]) await post(version(day), 'dcsa', `${sender}-1`)
  for (const day of [8, 7]) await post(version(day), 'dcsa', `${sender}-2`)
  const [one, other, ...more] = (await tracked(id)).tracking_steps?.[1]?.events ?? []
  expect(one?.date).toMatch(/^2026-03-0[78]T/)
  expect(other).toEqual(one)
  expect(more).toEqual([])
})

test('a message with more values than can be read quickly is refused', async () => {
  const { post } = await startCarrier(service)
  expect(await post(`[${'1,'.repeat(150_000)}1]`)).toBeRefused('payload_too_large')
})

test('customers read the name of the vessel where there is one, and no vessel at a gate otherwise', async () => {
  const { ship, send, containers, tracked } = await startCarrier(service)
  const id = await ship()
  const gate = containerEvent(containers[0], { at: 'CNNGB', code: 'GTIN', day: 7, id: 'gate' })
  const { vessel: _vessel, exportVoyageNumber: _voyage, ...unnamed } = gate.transportCall
  await send([
    { ...gate, transportCall: unnamed },
    { ...gate, eventID: 'loaded', equipmentEventTypeCode: 'LOAD' },
  ])
  const texts = (await tracked(id)).tracking_steps?.[1]?.events?.map(({ description }) => description)
  expect(texts).toEqual(['Gate in', 'Loaded (vessel Elbe Horizon 014W)'])
})
