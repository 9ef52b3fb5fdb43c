import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storeMessage } from '../../../src/store/messages.js'
import { whileInboxRuns } from '../../support/inbox.js'
import { containerEvent, containerEventInWords, startCarrier, vesselEvent } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('what was stored but not processed before the process ended is processed after the next start, in its order', async () => {
  const { ship, booking, sender, dates, send, ops } = await startCarrier(service)
  const id = await ship()
  const arrival = (day: number) =>
    vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day, issued: day, id: 'eta' })
  const ids: number[] = []
  for (const day of [10, 12]) {
    const content = Buffer.from(JSON.stringify(arrival(day)))
    ids.push(await storeMessage(service.db, { sender, channel: 'http', format: 'dcsa', content }))
  }
  expect(await dates(id)).toEqual({})
  await whileInboxRuns(service.db, async () => (await dates(id)).arrival_date?.date === '2026-03-12T08:00:00+08:00')
  for (const message_id of ids) {
    const { body } = await ops('getMessage', undefined, { params: { message_id: String(message_id) } })
    expect(body.outcome).toBe('applied')
  }
  // A message that comes waits for those before it.
  const waiting = Buffer.from(JSON.stringify(arrival(14)))
  const before = await storeMessage(service.db, { sender, channel: 'http', format: 'dcsa', content: waiting })
  expect((await send(arrival(16))).outcome).toBe('applied')
  const { body } = await ops('getMessage', undefined, { params: { message_id: String(before) } })
  expect(body).toMatchObject({ outcome: 'applied' })
})

test('a message that waits for a shipment is applied when the shipment comes', async () => {
  const { ship, send, containers, dates, ops } = await startCarrier(service)
  const discharged = containers.map((container) =>
    containerEvent(container, { at: 'DEHAM', code: 'DISC', day: 28, id: `disc ${container}` }),
  )
  const { outcome, message_id } = await send(discharged)
  expect(outcome).toBe('unmatched')
  const id = await ship()
  const params = { message_id: String(message_id) }
  await whileInboxRuns(
    service.db,
    async () => (await ops('getMessage', undefined, { params })).body.outcome === 'applied',
  )
  expect((await ops('getMessage', undefined, { params })).body.outcome).toBe('applied')
  expect((await dates(id)).arrival_date).toEqual({ date: '2026-03-28T08:00:00+08:00', status: 'actual' })
})

test('messages of several senders at once are all applied, each event once', async () => {
  const { ship, post, containers, work } = await startCarrier(service)
  const svc_shipment_id = await ship()
  const messages = Array.from({ length: 12 }, (_, index) => {
    const container = containers[index % 2] as string
    return JSON.stringify(
      containerEvent(container, { at: 'CNNGB', code: 'GTIN', day: 5 + (index % 6), id: `gate ${index % 6}` }),
    )
  })
  const sent = await Promise.all(messages.map((content, index) => post(content, 'dcsa', `SENDER ${index % 2}`)))
  expect(sent.filter(({ body }) => body.outcome === 'applied')).toHaveLength(6)
  expect(sent.filter(({ body }) => body.outcome === 'duplicate')).toHaveLength(6)
  const { body } = await work('getTracking', { params: { svc_shipment_id } })
  expect(body.steps.flatMap(({ events }) => events)).toHaveLength(6)
})

test('any order and repetition of messages gives the same result', async () => {
  const carrier = await startCarrier(service)
  const { containers, booking, work, call, seen } = carrier
  const [one, other] = containers

  const loaded = (updated: string, retracted: boolean) =>
    containerEventInWords(other, {
      id: 'load-2',
      updated,
      type: 'LOADED',
      at: 'CNNGB',
      date: '2026-03-08T09:00:00+08:00',
      retracted,
    })
  const messages = [
    [vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'PLN', day: 20, issued: 1, id: 'plan' })],
    [vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day: 22, issued: 3, id: 'eta' })],
    [vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day: 25, issued: 5, id: 'eta' })],
    [vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day: 24, issued: 5, id: 'other eta' })],
    [vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', day: 9, issued: 9 })],
    [containerEvent(one, { at: 'CNNGB', code: 'LOAD', day: 8, issued: 8 })],
    [loaded('2026-03-08T10:00:00Z', false)],
    [loaded('2026-03-08T11:00:00Z', true)],
    // A place that the plan does not have.
    [
      containerEvent(one, { at: 'MYPKG', code: 'DISC', day: 14, issued: 14, id: 'ts' }),
      containerEvent(one, { at: 'LKCMB', code: 'DISC', day: 16, issued: 16 }),
    ],
  ]
  /** What everybody sees after the messages have come in this order, from a sender of its own for each run. */
  async function after(order: number[]) {
    const svc_shipment_id = await carrier.ship()
    const sender = `RUN ${svc_shipment_id}`
    for (const index of order) {
      const { body } = await carrier.post(JSON.stringify(messages[index]), 'dcsa', sender)
      expect(['applied', 'duplicate'], JSON.stringify(body)).toContain(body.outcome)
    }
    const params = { svc_shipment_id }
    const tracking = (await call('getTracking', { params })).body
    const { status, main_tracking_dates } = await seen(svc_shipment_id)
    // The next run has the references for itself.
    await work('updateShipment', { params, body: { booking_information: null } })
    await work('moveShipment', { params, body: { status: 'cancelled', reason: 'done' } })
    const steps = tracking.tracking_steps?.map(({ events = [], ...step }) => ({
      ...step,
      events: events.map((event) => JSON.stringify(event)).toSorted(),
    }))
    return { status, main_tracking_dates, initial: tracking.initial_dates, tracked: tracking.status, steps }
  }
  const all = messages.map((_, index) => index)
  const expected = await after(all)
  expect(expected.main_tracking_dates?.arrival_date).toEqual({ date: '2026-03-25T08:00:00+08:00', status: 'estimated' })
  expect(expected.initial).toMatchObject({ eta: '2026-03-20T08:00:00+08:00' })
  const shuffled = fc.shuffledSubarray(all, { minLength: all.length })
  const repeated = fc.array(fc.nat({ max: all.length - 1 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(shuffled, repeated, async (order, again) => {
      expect(await after([...order, ...again])).toEqual(expected)
    }),
    { numRuns: 8, seed: 18 },
  )
})
