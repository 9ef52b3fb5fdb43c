import { expect, test } from 'vitest'
import type { FeedWithSecret } from '../../../src/contract/operator/feeds.js'
import { feedAdmin } from '../../support/feeds.js'
import { containerEventInWords, startCarrier } from '../../support/messages.js'
import { until } from '../../support/program.js'
import { startService } from '../../support/service.js'

/** Carriers that send events as DCSA 3.0 describes it. */

const service = await startService()
const admin = await feedAdmin(service)

type Feedback = { feedbackElements: { severity: string; message: string; propertyPath: string }[] }

async function send(feed: FeedWithSecret, content: unknown, authorization = `Bearer ${feed.secret}`) {
  const response = await fetch(feed.push?.callback_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-version': '3.0.0', ...(authorization && { authorization }) },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  })
  expect(response.headers.get('api-version')).toBe('3.0.0')
  return { status: response.status, body: (await response.json()) as Feedback }
}

async function newCarrier() {
  const carrier = await startCarrier(service)
  const feed = await admin.add({ sender: carrier.sender, format: 'dcsa-3.0', channel: 'push' })
  const outcomes = async () => (await admin.messages(carrier.sender)).map(({ outcome }) => outcome)
  return { ...carrier, feed, outcomes }
}

test('right events are applied, and wrong ones are reported with their place', async () => {
  const { feed, ship, containers, tracked } = await newCarrier()
  const id = await ship()
  const event = containerEventInWords(containers[0], {
    id: 'load',
    updated: '2026-03-08T10:00:00Z',
    type: 'LOADED',
    at: 'CNNGB',
    date: '2026-03-08T09:00:00+08:00',
  })
  const all = await send(feed, { events: [event] })
  expect(all).toEqual({ status: 200, body: { feedbackElements: [] } })
  await until(async () => JSON.stringify(await tracked(id)).includes('Loaded'))
  const classification = { ...event.eventClassification, equipmentEventType: 'FLOWN' }
  const wrong = [
    { ...event, eventDateTime: undefined },
    { ...event, eventClassification: classification },
    { ...event, eventLocation: { UNLocationCode: 'X' } },
    { ...event, equipmentDetails: { ...event.equipmentDetails, emptyIndicator: 'HALF' } },
    'text',
  ]
  const other = {
    ...event,
    eventID: 'gate',
    eventClassification: { ...classification, equipmentEventType: 'GATED_IN' },
  }
  const some = await send(feed, { events: [...wrong, other] })
  expect(some.status).toBe(200)
  expect(some.body.feedbackElements.map(({ severity, propertyPath }) => [severity, propertyPath])).toEqual([
    ['ERROR', '$.events[0].eventDateTime'],
    ['ERROR', '$.events[1].eventClassification'],
    ['ERROR', '$.events[2].eventLocation'],
    ['ERROR', '$.events[3].equipmentDetails'],
    ['ERROR', '$.events[4]'],
  ])
  expect(some.body.feedbackElements[0]?.message).toBe('eventDateTime is required.')
  await until(async () => JSON.stringify(await tracked(id)).includes('Gate in'))
  expect((await send(feed, { events: wrong.slice(0, 2) })).status).toBe(400)
})

test('a message of which nothing is of use is a 400 with feedback, and is kept for the operator', async () => {
  const { feed, outcomes } = await newCarrier()
  for (const content of [
    '{',
    '{"events":[]}',
    '{"events":{}}',
    '7',
    { events: Array.from({ length: 5001 }, () => ({})) },
  ]) {
    const { status, body } = await send(feed, content)
    expect(status).toBe(400)
    expect(body.feedbackElements).toEqual([
      { severity: 'ERROR', message: expect.any(String) as string, propertyPath: '$' },
    ])
  }
  await until(async () => (await outcomes()).filter((outcome) => outcome === 'unreadable').length === 5)
})

test('a wrong or missing key is refused, counted, and nothing is stored', async () => {
  const { feed, outcomes } = await newCarrier()
  const signed = await admin.add({ sender: 'MAEU', format: 'dcsa-2.2', channel: 'push' })
  for (const authorization of [
    '',
    'Bearer x',
    `Basic ${feed.secret}`,
    `Bearer ${feed.secret}x`,
    `Bearer ${signed.secret}`,
  ])
    expect((await send(feed, { events: [] }, authorization)).status, authorization).toBe(401)
  expect((await admin.read(feed.feed_id)).push?.refused).toBe(5)
  expect(await outcomes()).toEqual([])
  // The callback of one format is not that of the other.
  const base = `${service.baseUrl}/feeds/v1`
  const headers = { authorization: `Bearer ${feed.secret}` }
  expect((await fetch(`${base}/${feed.feed_id}`, { method: 'POST', headers, body: '[]' })).status).toBe(404)
  expect((await fetch(`${base}/${signed.feed_id}/events`, { method: 'POST', headers, body: '[]' })).status).toBe(404)
  expect((await fetch(feed.push?.callback_url ?? '')).status).toBe(405)
})
