import { expect, test } from 'vitest'
import { containerEvent, startCarrier, uniqueContainer, vesselEvent } from '../../support/messages.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

/** What operators do with messages: match, replay, drop, list. */

const service = await startService()

test('several shipments with a reference, or none, leave a message unmatched, with suggestions', async () => {
  const { booked, send, booking, containers, slug } = await startCarrier(service)
  const ids = [await booked(), await booked()]
  const ambiguous = await send(vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', day: 9 }))
  expect(ambiguous).toMatchObject({ outcome: 'unmatched', reason: 'Event 1: 2 shipments have these references.' })
  expect(ambiguous.events[0]?.suggestions?.map(({ svc_shipment_id }) => svc_shipment_id)).toEqual(ids.toSorted())
  expect(ambiguous.events[0]?.suggestions?.[0]).toMatchObject({ account: slug, kind: 'booking', reference: booking })
  const stranger = uniqueContainer()
  expect(await send(containerEvent(stranger, { at: 'CNNGB', code: 'LOAD', day: 9 }))).toMatchObject({
    outcome: 'unmatched',
    reason: `Event 1: no shipment has ${stranger}.`,
  })
  const earlier = containerEvent(containers[0], { at: 'CNNGB', code: 'LOAD', day: 9 })
  const lastYear = { ...earlier, eventDateTime: '2025-03-09T10:00:00+08:00' }
  expect(await send(lastYear)).toMatchObject({ outcome: 'unmatched' })
  const elsewhere = containerEvent(containers[0], { at: 'CNNGB', code: 'LOAD', day: 9, booking: 'ANOTHER-1' })
  expect(await send(elsewhere)).toMatchObject({ outcome: 'unmatched' })
})

test('an operator matches a message to a shipment, replays it without doubling, or drops it', async () => {
  const { ship, send, slug, ops, work } = await startCarrier(service)
  const svc_shipment_id = await ship()
  const unknown = vesselEvent('NOBODYS-BOOKING', { at: 'CNNGB', code: 'DEPA', day: 9 })
  const { message_id, outcome } = await send(unknown)
  expect(outcome).toBe('unmatched')
  const params = { message_id: String(message_id) }
  const nowhere = { account: slug, svc_shipment_id: 'NOWHERE' }
  expect(await ops('matchMessage', undefined, { params, body: nowhere })).toBeRefused('shipment_not_found')
  const matched = await ops('matchMessage', undefined, { params, body: { account: slug, svc_shipment_id } })
  expect(matched.body).toMatchObject({ outcome: 'applied', events: [{ account: slug, svc_shipment_id }] })
  expect((await ops('replayMessage', undefined, { params })).body).toMatchObject({ outcome: 'duplicate' })
  const { body } = await work('getTracking', { params: { svc_shipment_id } })
  expect(body.steps.flatMap(({ events }) => events)).toMatchObject([{ code: 'DEPARTED', message_id }])
  const reason = 'Not ours'
  expect(await ops('dropMessage', undefined, { params, body: { reason } })).toBeRefused('message_applied')
  const other = await send(vesselEvent('NOBODYS-OTHER', { at: 'CNNGB', code: 'DEPA', day: 9 }))
  const dropped = { params: { message_id: String(other.message_id) }, body: { reason } }
  expect((await ops('dropMessage', undefined, dropped)).body).toMatchObject({ outcome: 'dropped', reason })
  expect(await ops('getMessage', undefined, { params: { message_id: '999999999' } })).toBeRefused('message_not_found')
})

test('messages are listed by sender, outcome and reference, newest first, in pages', async () => {
  const { ship, send, sender, booking, containers, ops } = await startCarrier(service)
  await ship()
  const sent: number[] = []
  for (const day of [1, 2, 3]) {
    const { message_id } = await send(
      vesselEvent(booking, { at: 'CNNGB', code: 'DEPA', status: 'EST', day, id: `d${day}` }),
    )
    sent.unshift(message_id)
  }
  const other = await send(containerEvent(containers[0], { at: 'CNNGB', code: 'NOPE', day: 1 }))
  const list = async (query: Parameters<typeof ops<'listMessages'>>[2]) => {
    const { body } = await ops('listMessages', undefined, query)
    return { ids: body.messages.map(({ message_id }) => message_id), next: body.next }
  }
  expect(await list({ query: { sender, take: 2 } })).toEqual({
    ids: [other.message_id, sent[0]],
    next: String(sent[0]),
  })
  expect(await list({ query: { sender, take: 5, after: String(sent[0]) } })).toEqual({
    ids: sent.slice(1),
    next: undefined,
  })
  expect((await list({ query: { sender, outcome: 'unreadable' } })).ids).toEqual([other.message_id])
  expect((await list({ query: { reference: booking.toLowerCase() } })).ids).toEqual(sent)
})

test('an account that is over its quota refuses its events of a message; the other accounts get theirs', async () => {
  const [full, free] = [await startCarrier(service), await startCarrier(service)]
  const [refused, applied] = [await full.ship(), await free.ship()]
  const { ops } = await newOperator(service)
  await ops('updateAccount', full.slug, { body: { quotas: { stored_bytes: 1 } } })
  const loaded = (container: string) => containerEvent(container, { at: 'CNNGB', code: 'LOAD', day: 8 })
  const message = await free.send([full.containers[0], free.containers[0]].map(loaded))
  expect(message).toMatchObject({
    outcome: 'quarantined',
    counts: { events: 2, applied: 1, quarantined: 1 },
    events: [
      { svc_shipment_id: refused, outcome: 'quarantined' },
      { svc_shipment_id: applied, outcome: 'applied' },
    ],
  })
  const eventsOf = async (carrier: typeof full, id: string) =>
    (await carrier.tracked(id)).tracking_steps?.flatMap(({ events = [] }) => events)
  expect(await eventsOf(full, refused)).toEqual([])
  expect(await eventsOf(free, applied)).toMatchObject([{ container_number: free.containers[0] }])
})
