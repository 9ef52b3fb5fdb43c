import { expect, test } from 'vitest'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

type Report = { text: string; at: string; on: string; issued?: string }

async function say(...reports: Report[]) {
  const carrier = await startCarrier(service)
  const id = await carrier.ship()
  const [container] = carrier.containers
  const events = reports.map(({ text, at, on, issued }) => ({
    references: [carrier.booking],
    container_number: container,
    description: text,
    unlocode: at,
    date: on,
    status: 'actual',
    ...(issued !== undefined && { issued_at: issued }),
  }))
  const state = async () => (await carrier.work('getTracking', { params: { svc_shipment_id: id } })).body
  const dates = (shipment = id) => carrier.dates(shipment)
  return { ...carrier, id, events, state, dates }
}

test('a text that speaks of the future has not happened, whatever the status of its event says', async () => {
  const { send, events, dates, tracked, id } = await say({
    text: 'Estimated arrival',
    at: 'DEHAM',
    on: '2026-03-20T08:00:00+01:00',
  })
  expect(await send(events, 'events')).toMatchObject({ outcome: 'applied' })
  expect((await dates(id)).arrival_date).toMatchObject({ status: 'estimated' })
  expect((await tracked(id)).status).toBe('pending')
})

test('a train that leaves a port is no vessel that departs', async () => {
  const { send, events, state, dates, id } = await say({
    text: 'Rail departure',
    at: 'CNNGB',
    on: '2026-03-20T08:00:00+08:00',
  })
  expect(await send(events, 'events')).toMatchObject({ outcome: 'applied' })
  const { steps } = await state()
  expect(await dates(id)).not.toHaveProperty('departure_date')
  expect(steps.find(({ events: at }) => at.length > 0)).toMatchObject({ type: 'inland_terminal' })
})

test('the event of a vessel counts for the containers on it, and keeps what came with it', async () => {
  const { send, events, state, dates, booking } = await say({ text: 'Loaded', at: 'CNNGB', on: '2026-03-19T08:00:00Z' })
  const vessel = { name: 'EVER GIVEN', imo: '9811000', voyage: '021W' }
  const of = (ship: object, code: string, on: string, more = {}) => ({
    references: [booking],
    description: code.toLowerCase(),
    code,
    unlocode: 'CNNGB',
    date: on,
    status: 'actual',
    vessel: ship,
    ...more,
  })
  const details = { laden: 'laden', facility: 'CNNGBBLC', delay_reason: 'WEA', remark: 'Fog' }
  const aboard = { ...events[0], vessel, ...details }
  expect(await send([aboard], 'events')).toMatchObject({ outcome: 'applied' })
  await send([of({ name: 'OTHER' }, 'DEPARTED', '2026-03-20T08:00:00Z')], 'events')
  expect((await dates()).departure_date?.status).not.toBe('actual')
  await send([of(vessel, 'DEPARTED', '2026-03-21T08:00:00Z')], 'events')
  expect((await dates()).departure_date).toEqual({ date: '2026-03-21T08:00:00Z', status: 'actual' })
  const kept = (await state()).steps.flatMap(({ events: at }) => at).find(({ code }) => code === 'LOADED')
  expect(kept).toMatchObject({ vessel, ...details })
})

test('of two statements of the same that were issued together, one counts, whichever comes first', async () => {
  const issued = '2026-03-20T12:00:00Z'
  const shown: unknown[] = []
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { send, events, state } = await say(
      { text: 'Loaded', at: 'CNNGB', on: '2026-03-19T08:00:00Z', issued },
      { text: 'Loaded', at: 'CNNGB', on: '2026-03-19T16:00:00Z', issued },
    )
    for (const index of order) await send([events[index]], 'events')
    shown.push((await state()).steps.flatMap(({ events: at }) => at.map(({ date }) => date)))
  }
  expect(shown).toEqual([['2026-03-19T16:00:00Z'], ['2026-03-19T16:00:00Z']])
})

test('a container that came back empty before the first planned date was on another trip until then', async () => {
  const { send, events, state, work, id } = await say(
    { text: 'Discharged', at: 'DEHAM', on: '2026-03-02T08:00:00Z' },
    { text: 'Empty returned', at: 'DEHAM', on: '2026-03-05T08:00:00Z' },
    { text: 'Loaded', at: 'CNNGB', on: '2026-03-18T08:00:00Z' },
    { text: 'Vessel arrived', at: 'DEHAM', on: '2026-04-11T08:00:00Z' },
  )
  const plan = { step: 'origin', description: 'Departure', date: '2026-03-19T08:00:00Z', status: 'planned' as const }
  await work('addEvent', { params: { svc_shipment_id: id }, body: plan })
  expect(await send(events, 'events')).toMatchObject({ counts: { applied: 2, quarantined: 2 } })
  const kept = (await state()).steps.flatMap(({ events: at }) =>
    at.filter(({ quarantine }) => quarantine === undefined),
  )
  expect(kept.map(({ description }) => description)).toEqual(['Departure', 'Loaded', 'Vessel arrived'])
})

test('what is reached before the first planned date, while nothing had been left, is of an earlier trip', async () => {
  const { send, events, state, work, dates, id } = await say({
    text: 'Arrived',
    at: 'DEHAM',
    on: '2026-03-02T08:00:00Z',
  })
  const plan = { step: 'origin', description: 'Departure', date: '2026-03-19T08:00:00Z', status: 'planned' as const }
  await work('addEvent', { params: { svc_shipment_id: id }, body: plan })
  const { reason } = await send(events, 'events')
  expect(reason).toBe('Event 1: it is before the first planned date, and nothing had been left by then.')
  expect(await dates(id)).not.toHaveProperty('arrival_date')
  // The vessel sailed earlier than it was planned to.
  const left = { step: 'origin', description: 'Departed', date: '2026-02-20T08:00:00Z', status: 'actual' as const }
  await work('addEvent', { params: { svc_shipment_id: id }, body: left })
  const shown = (await state()).steps.flatMap(({ events: at }) => at.map(({ quarantine }) => quarantine))
  expect(shown).toEqual([undefined, undefined, undefined])
})

test('the first date that was known of any container stays, in whatever order messages come', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { send, booking, containers, tracked, id } = await say()
    const arrival = (index: number, day: number, issued: number) => ({
      references: [booking],
      container_number: containers[index],
      description: 'Arrival',
      unlocode: 'DEHAM',
      date: `2026-04-${day}T08:00:00Z`,
      issued_at: `2026-03-0${issued}T08:00:00Z`,
      status: 'estimated',
    })
    const events = [arrival(0, 14, 1), arrival(1, 16, 3)]
    for (const index of order) await send([events[index]], 'events')
    expect((await tracked(id)).initial_dates).toEqual({ eta: '2026-04-14T08:00:00Z' })
  }
})

test('what is expected of a container on another trip is kept back, and sets no initial date', async () => {
  const { send, booking, containers, state, tracked, work, id } = await say()
  const plan = { step: 'origin', description: 'Departure', date: '2026-03-19T08:00:00Z', status: 'planned' as const }
  await work('addEvent', { params: { svc_shipment_id: id }, body: plan })
  const of = (description: string, unlocode: string, on: string, status: string, issued: string) => ({
    references: [booking],
    container_number: containers[0],
    description,
    unlocode,
    date: `2026-${on}T08:00:00Z`,
    issued_at: `2026-${issued}T08:00:00Z`,
    status,
  })
  const events = [
    of('Arrival', 'DEHAM', '03-02', 'estimated', '02-20'),
    of('Empty returned', 'DEHAM', '03-08', 'actual', '03-08'),
    of('Arrival', 'DEHAM', '04-14', 'estimated', '03-20'),
    of('Vessel departed', 'CNNGB', '03-20', 'actual', '03-20'),
    of('Vessel arrived', 'DEHAM', '04-15', 'actual', '04-15'),
    of('Empty returned', 'DEHAM', '04-20', 'actual', '04-20'),
    of('Departure', 'CNNGB', '05-20', 'estimated', '05-01'),
    of('Arrival', 'DEHAM', '06-20', 'estimated', '05-01'),
  ]
  for (const event of events) await send([event], 'events')
  const shown = (await state()).steps.flatMap(({ events: at }) =>
    at.filter(({ quarantine }) => quarantine === undefined).map(({ date }) => date?.slice(5, 10)),
  )
  expect(shown).toEqual(['03-19', '03-20', '04-14', '04-15', '04-20'])
  expect((await tracked(id)).initial_dates).toEqual({ etd: '2026-03-19T08:00:00Z', eta: '2026-04-14T08:00:00Z' })
})

test('without a plan, a container that came back before the goods were ready was on another trip', async () => {
  const { send, events, state } = await say(
    { text: 'Arrived', at: 'DEHAM', on: '2026-02-20T08:00:00Z' },
    { text: 'Empty returned', at: 'DEHAM', on: '2026-02-25T08:00:00Z' },
    // The goods are ready on 1 March.
    { text: 'Vessel departed', at: 'CNNGB', on: '2026-03-18T08:00:00Z' },
    { text: 'Arrived', at: 'DEHAM', on: '2026-04-11T08:00:00Z' },
  )
  for (const event of events) await send([event], 'events')
  const shown = (await state()).steps.flatMap(({ events: at }) =>
    at.filter(({ quarantine }) => quarantine === undefined).map(({ date }) => date?.slice(5, 10)),
  )
  expect(shown).toEqual(['03-18', '04-11'])
})

test('an event says by which means of transport it is: a truck at a port is no vessel, at a named step as at a place', async () => {
  const { send, events, state, dates, id, work } = await say(
    { text: 'Departed', at: 'CNNGB', on: '2026-03-20T08:00:00+08:00' },
    { text: 'Arrived', at: 'DEHAM', on: '2026-04-20T08:00:00+02:00' },
  )
  const plan = { step: 'origin', description: 'Departure', date: '2026-03-22T08:00:00Z', status: 'planned' as const }
  await work('addEvent', { params: { svc_shipment_id: id }, body: plan })
  const [departed, arrived] = events.map((event) => ({ ...event, mode: 'truck' }))
  expect(await send([{ ...departed, step: 'origin' }, arrived], 'events')).toMatchObject({ counts: { applied: 2 } })
  expect(await dates(id)).toEqual({ departure_date: { date: '2026-03-22T08:00:00Z', status: 'planned' } })
  const { steps } = await state()
  expect(steps.flatMap(({ type, events: at }) => at.map(({ description }) => `${type}: ${description}`))).toEqual([
    'origin_port: Departure',
    'origin_port: Departed',
    'inland_terminal: Arrived',
  ])
  expect(await send([{ ...departed, mode: 'balloon' }], 'events')).toMatchObject({ outcome: 'unreadable' })
})

test('what departs before it is loaded does so by truck, unless its event says by vessel', async () => {
  const { send, events, dates, id } = await say(
    { text: 'Departed', at: 'CNNGB', on: '2026-03-20T08:00:00+08:00' },
    { text: 'Loaded', at: 'CNNGB', on: '2026-03-20T10:00:00+08:00' },
  )
  const [departed, loaded] = events
  await send([departed, loaded], 'events')
  expect((await dates(id)).departure_date).toMatchObject({ date: '2026-03-20T10:00:00+08:00' })
  await send([{ ...departed, mode: 'vessel' }], 'events')
  expect((await dates(id)).departure_date).toMatchObject({ date: '2026-03-20T08:00:00+08:00' })
})
