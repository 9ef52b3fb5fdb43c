import { expect, test } from 'vitest'
import { containerEventInWords, startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

/** Events of DCSA 3.0 that their source retracts: nothing but the identifier matters. */

const service = await startService()

async function loadedShipment(party?: string) {
  const carrier = await startCarrier(service)
  const { ship, send, containers, tracked } = carrier
  const id = await ship()
  const loaded = (by = party, eventID = 'e1') => ({
    ...containerEventInWords(containers[0], {
      id: eventID,
      updated: '2026-03-08T10:00:00Z',
      type: 'LOADED',
      at: 'CNNGB',
      date: '2026-03-08T09:00:00+08:00',
    }),
    ...(by !== undefined && { eventRouting: { originatingParties: [{ partyCode: by }] } }),
  })
  const shown = async () => (await tracked(id)).tracking_steps?.flatMap(({ events = [] }) => events).length
  return { ...carrier, loaded, send: (...events: object[]) => send({ events }), shown }
}

test.each([
  ['nothing else', {}],
  ['a time that cannot be read', { eventUpdatedDateTime: 'yesterday' }],
  [
    'a place that does not exist',
    { eventUpdatedDateTime: '2026-03-09T10:00:00Z', eventLocation: { UNLocationCode: 'X' } },
  ],
  ['groups that are none', { eventClassification: 'none', eventRouting: 'none' }],
])('an event is retracted by its identifier and %s', async (_what, more) => {
  const { send, loaded, shown } = await loadedShipment()
  await send(loaded())
  expect(await shown()).toBe(1)
  expect(await send({ eventID: 'e1', isRetracted: true, ...more })).toMatchObject({
    outcome: 'applied',
    events: [{ outcome: 'applied' }],
  })
  expect(await shown()).toBe(0)
  expect(await send({ eventID: 'e1', isRetracted: true, ...more })).toMatchObject({ outcome: 'duplicate' })
})

test('who retracts an event need not name the party that it is from, whichever comes first', async () => {
  const retraction = { eventID: 'e1', isRetracted: true }
  const one = await loadedShipment('EXCO')
  await one.send(one.loaded())
  expect(await one.send(retraction)).toMatchObject({ events: [{ outcome: 'applied' }] })
  expect(await one.shown()).toBe(0)
  expect(await one.send(one.loaded())).toMatchObject({ outcome: 'duplicate' })
  const other = await loadedShipment('EXCO')
  await other.send(retraction)
  expect(await other.send(other.loaded())).toMatchObject({ events: [{ outcome: 'unchanged' }] })
  expect(await other.shown()).toBe(0)
  const together = await loadedShipment('EXCO')
  await together.send(together.loaded(), retraction)
  expect(await together.shown()).toBe(0)
})

test('the retraction of an event of which nothing is known says so', async () => {
  const { send } = await loadedShipment()
  expect(await send({ eventID: 'nobody', isRetracted: true })).toMatchObject({
    events: [{ outcome: 'kept', reason: expect.stringContaining('no event with this identifier is known') as string }],
  })
})

test('a retraction that does not name the party, while several have such an event, retracts none', async () => {
  const { send, loaded, shown } = await loadedShipment('EXCO')
  await send(loaded('EXCO'), { ...loaded('OTHER'), eventDateTime: '2026-03-08T09:30:00+08:00' })
  const before = await shown()
  expect(await send({ eventID: 'e1', isRetracted: true })).toMatchObject({
    outcome: 'quarantined',
    events: [{ outcome: 'quarantined', reason: 'several parties have an event with this identifier' }],
  })
  expect(await shown()).toBe(before)
})
