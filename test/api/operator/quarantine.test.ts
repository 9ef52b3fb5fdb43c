import fc from 'fast-check'
import { expect, test } from 'vitest'
import { containerEvent, startCarrier, vesselEvent } from '../../support/messages.js'
import { startService } from '../../support/service.js'

/** Events that cannot be true are kept back until an operator releases, corrects or retracts them. */

const service = await startService()

type Step = [at: string, code: string, day: number, empty?: true]

async function say(...steps: Step[]) {
  const carrier = await startCarrier(service)
  const id = await carrier.ship()
  const [container] = carrier.containers
  const message = (of: Step[]) =>
    of.map(([at, code, day, empty = false]) =>
      containerEvent(container, { at, code, day, empty, id: `${at} ${code} ${day}`, issued: day }),
    )
  const sent = await carrier.send(message(steps))
  const state = async () => (await carrier.work('getTracking', { params: { svc_shipment_id: id } })).body
  const keptBack = async () =>
    (await state()).steps.flatMap(({ events }) =>
      events.flatMap(({ code, date, quarantine }) => (quarantine === undefined ? [] : { code, date, quarantine })),
    )
  return { ...carrier, id, container, message, sent, state, keptBack }
}

test('a place that is reached before the one before it is left is quarantined', async () => {
  const { keptBack, sent, tracked, id, call } = await say(['DEHAM', 'DISC', 4], ['CNNGB', 'LOAD', 8])
  expect(await keptBack()).toMatchObject([{ code: 'DISCHARGED', quarantine: 'the place before was left later' }])
  expect(sent).toMatchObject({ outcome: 'quarantined', counts: { applied: 1, quarantined: 1 } })
  expect(sent.reason).toBe('Event 1: the place before was left later.')
  const shown = (await tracked(id)).tracking_steps?.flatMap(({ events = [] }) => events)
  expect(shown).toHaveLength(1)
  expect(JSON.stringify((await call('explainTracking', { params: { svc_shipment_id: id } })).body)).not.toContain(
    'DISCHARGED',
  )
})

test('a port that is left again after the destination was reached is of the next trip', async () => {
  const { keptBack } = await say(['CNNGB', 'LOAD', 2], ['DEHAM', 'DISC', 27], ['CNNGB', 'LOAD', 29])
  expect(await keptBack()).toMatchObject([{ code: 'LOADED', quarantine: 'a later place had been reached before' }])
})

test('the response to an operator states that an event is quarantined', async () => {
  const { work, id } = await say(['CNNGB', 'LOAD', 8])
  const event = {
    step: 'destination',
    description: 'Arrived',
    date: '2026-03-05T08:00:00+01:00',
    status: 'actual' as const,
  }
  const { body } = await work('addEvent', { params: { svc_shipment_id: id }, body: event })
  expect(body).not.toHaveProperty('warnings')
  const [container_number] = [body.steps[1]?.events[0]?.container_number ?? '']
  const ofUnit = await work('addEvent', { params: { svc_shipment_id: id }, body: { ...event, container_number } })
  expect(ofUnit.body.warnings).toMatchObject([{ pointer: '/date', detail: expect.stringContaining('kept back') }])
})

test('a vessel does not sail faster than 30 knots', async () => {
  const { keptBack, dates, id } = await say(['CNNGB', 'LOAD', 2], ['SGSIN', 'DISC', 8], ['DEHAM', 'DISC', 9])
  expect(await keptBack()).toEqual([])
  const fast = await say(['CNNGB', 'LOAD', 2], ['SGSIN', 'DISC', 8], ['SGSIN', 'LOAD', 9], ['DEHAM', 'DISC', 12])
  expect(await fast.keptBack()).toMatchObject([
    { code: 'DISCHARGED', quarantine: 'it was reached faster than at 30 knots' },
  ])
  expect((await dates(id)).arrival_date).toBeDefined()
})

test('after a container has come back empty, its events are of another trip', async () => {
  const { keptBack, send, message } = await say(
    ['CNNGB', 'GTIN', 1, true],
    ['CNNGB', 'LOAD', 2],
    ['DEHAM', 'DISC', 25],
    ['DEHAM', 'GTIN', 27, true],
    ['DEHAM', 'LOAD', 29],
  )
  expect(await keptBack()).toMatchObject([
    { code: 'EMPTY_IN', quarantine: 'it is of another trip of its container' },
    { code: 'LOADED', quarantine: 'its container had come back empty before' },
  ])
  expect(await send(message([['DEHAM', 'GTOT', 30]]))).toMatchObject({ outcome: 'quarantined' })
})

test('what happened more than 30 days before the first plan is of an earlier trip', async () => {
  const { ship, send, booking, containers, work } = await startCarrier(service)
  const svc_shipment_id = await ship()
  const early = containerEvent(containers[0], { at: 'CNNGB', code: 'LOAD', day: 1, booking, id: 'early' })
  await send([{ ...early, eventDateTime: '2026-02-01T08:00:00+08:00' }])
  await send([vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', status: 'EST', day: 20, issued: 2 })])
  const { body } = await work('getTracking', { params: { svc_shipment_id } })
  expect(body.steps[1]?.events.map(({ quarantine }) => quarantine)).toEqual([
    'it is more than 30 days before the first planned date',
    undefined,
  ])
})

test('an operator releases an event that is true all the same; a newer version is checked again', async () => {
  const { work, tries, id, state, dates, send, message } = await say(['DEHAM', 'DISC', 4], ['CNNGB', 'LOAD', 8])
  const event_id = (await state()).steps[3]?.events[0]?.event_id ?? ''
  const params = { svc_shipment_id: id, event_id }
  const released = await work('releaseEvent', { params, body: { reason: 'it came back' } })
  expect(released.body.steps[3]?.events[0]).toMatchObject({ released: true })
  expect(released.body.steps[3]?.events[0]).not.toHaveProperty('quarantine')
  expect((await dates(id)).arrival_date).toMatchObject({ status: 'estimated' })
  const [changed] = message([['DEHAM', 'DISC', 4]])
  await send([{ ...changed, eventCreatedDateTime: '2026-03-10T00:00:00Z', eventDateTime: '2026-03-05T08:00:00+08:00' }])
  expect((await state()).steps[3]?.events[0]).toHaveProperty('quarantine')
  const missing = { params: { ...params, event_id: 'none' }, body: { reason: 'r' } }
  expect(await tries('releaseEvent', missing)).toBeRefused('event_not_found')
})

test('what is kept back does not depend on the order in which events come', async () => {
  const steps: Step[] = [
    ['DEHAM', 'DISC', 1],
    ['CNNGB', 'LOAD', 3],
    ['SGSIN', 'DISC', 9],
    ['SGSIN', 'LOAD', 12],
    ['DEHAM', 'DISC', 13],
    ['CNNGB', 'LOAD', 14],
    ['DEHAM', 'GTIN', 29, true],
  ]
  const expected = await (await say(...steps)).keptBack()
  expect(expected.map(({ code }) => code)).toEqual(['LOADED', 'DISCHARGED', 'DISCHARGED'])
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(steps, { minLength: steps.length }), async (order) => {
      const { send, message, keptBack } = await say()
      for (const step of order) await send(message([step]))
      expect(new Set(await keptBack())).toEqual(new Set(expected))
    }),
    { numRuns: 8 },
  )
})
