import { expect, test } from 'vitest'
import { feedAdmin, notify, signatureOf } from '../../support/feeds.js'
import { containerEvent, startCarrier, vesselEvent } from '../../support/messages.js'
import { readSamples } from '../../support/metrics.js'
import { withinOneMinute } from '../../support/one-minute.js'
import { until } from '../../support/program.js'
import { startService } from '../../support/service.js'

/** Carriers that send by the subscriptions of DCSA 2.2. */

const service = await startService()
const admin = await feedAdmin(service)

async function newCarrier() {
  const carrier = await startCarrier(service)
  const feed = await admin.add({ sender: carrier.sender, format: 'dcsa-2.2', channel: 'push' })
  const processed = async (count: number) => {
    await until(async () => {
      const messages = await admin.messages(carrier.sender)
      return messages.length === count && messages.every(({ outcome }) => outcome !== 'received')
    })
    return (await admin.messages(carrier.sender)).map(({ outcome }) => outcome).toReversed()
  }
  return { ...carrier, feed, processed, refused: async () => (await admin.read(feed.feed_id)).push?.refused }
}

test('the check of a subscription gets 204, and only for the address of a feed', async () => {
  const { feed } = await newCarrier()
  const head = async (url: string) => (await fetch(url, { method: 'HEAD' })).status
  expect(await head(feed.push?.callback_url ?? '')).toBe(204)
  expect(await head(`${service.baseUrl}/feeds/v1/feed_${'0'.repeat(32)}`)).toBe(404)
  const other = await admin.add({ sender: 'MAEU', format: 'dcsa-2.2', channel: 'pull', url: 'https://c.example' })
  expect(await head(`${service.baseUrl}/feeds/v1/${other.feed_id}`)).toBe(404)
})

test('a signed notification is applied, and the same one again changes nothing and gets the same response', async () => {
  const { feed, ship, booking, dates, processed } = await newCarrier()
  const id = await ship()
  const arrival = [vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', day: 20 })]
  // Spaces and line breaks are part of what is signed.
  const content = `${JSON.stringify(arrival, undefined, 3)}\n`
  for (const _ of [1, 2]) {
    const response = await notify(feed, content)
    expect([response.status, await response.text()]).toEqual([204, ''])
  }
  expect(await processed(2)).toEqual(['applied', 'duplicate'])
  expect((await dates(id)).arrival_date).toEqual({ date: '2026-03-20T08:00:00+08:00', status: 'actual' })
  const state = await admin.read(feed.feed_id)
  expect(state).toMatchObject({ pending_messages: 0, push: { refused: 0 } })
  expect(state.last_message?.message_id).toBe((await admin.messages(state.sender))[0]?.message_id)
})

test('a wrong or missing signature is refused, counted, and nothing is stored', async () => {
  const { feed, sender, refused } = await newCarrier()
  const content = JSON.stringify([containerEvent('MSKU0000001', { at: 'DEHAM', code: 'LOAD', day: 2 })])
  const secret = feed.secret ?? ''
  const right = signatureOf(content, secret)
  const counted = async () =>
    (await readSamples(service.baseUrl))
      .filter(({ name, labels }) => name === 'waybill_refusals_total' && labels.code === 'invalid_signature')
      .reduce((sum, { value }) => sum + value, 0)
  const before = await counted()
  const wrong: Record<string, string>[] = [
    {},
    { 'notification-signature': '' },
    { 'notification-signature': right.slice('sha256='.length) },
    { 'notification-signature': right.slice(0, -2) },
    { 'notification-signature': `${right}, ${right}` },
    { 'notification-signature': right.replace('sha256', 'sha512') },
    { 'notification-signature': signatureOf(`${content} `, secret) },
    { 'notification-signature': signatureOf(content, Buffer.alloc(32).toString('base64')) },
    { 'notification-signature': signatureOf(content, Buffer.from(secret).toString('base64')) },
    { authorization: `Bearer ${secret}` },
  ]
  for (const headers of wrong) {
    const response = await notify(feed, content, headers)
    expect({ status: response.status, text: await response.text() }, JSON.stringify(headers)).toBeRefused(
      'invalid_signature',
    )
  }
  expect(await refused()).toBe(wrong.length)
  expect((await counted()) - before).toBe(wrong.length)
  expect(await admin.messages(sender)).toEqual([])
  expect(
    (await notify(feed, content, { 'notification-signature': ` ${right.toUpperCase().replace('SHA', 'sha')} ` }))
      .status,
  ).toBe(204)
})

test('while a secret is replaced, both work; then the old one is refused', async () => {
  const { feed } = await newCarrier()
  const params = { feed_id: feed.feed_id }
  const next = (await admin.ops('rotateFeedSecret', undefined, { params, body: {} })).body
  for (const each of [feed, next]) expect((await notify(each, '[{}]')).status).toBe(204)
  const old_until = new Date().toISOString()
  const last = (await admin.ops('rotateFeedSecret', undefined, { params, body: { old_until } })).body
  for (const each of [feed, next]) expect((await notify(each, '[{}]')).status).toBe(401)
  expect((await notify(last, '[{}]')).status).toBe(204)
})

test('what cannot be read is stored for the operator, and the carrier need not send it again', async () => {
  const { feed, processed } = await newCarrier()
  for (const content of ['[', Buffer.from([0xff, 0xfe]), '[{"eventType":"FLIGHT"}]', '{}', '[]'])
    expect((await notify(feed, content)).status).toBe(204)
  expect(new Set(await processed(5))).toEqual(new Set(['unreadable']))
})

test('messages are bounded like those of operators', async () => {
  const { feed, sender } = await newCarrier()
  const status = async (content: string, headers?: Record<string, string>) =>
    (await notify(feed, content, headers)).status
  expect(await status(`"${'x'.repeat(4 * 1024 * 1024)}"`)).toBe(413)
  expect(await status(`[${'1,'.repeat(100_001)}1]`)).toBe(413)
  expect(await status('')).toBe(400)
  const zipped = { 'notification-signature': signatureOf('[]', feed.secret ?? ''), 'content-encoding': 'gzip' }
  expect(await status('[]', zipped)).toBe(415)
  expect(await admin.messages(sender)).toEqual([])
})

test('a paused or removed feed takes nothing', async () => {
  const { feed, sender } = await newCarrier()
  const params = { feed_id: feed.feed_id }
  await admin.ops('updateFeed', undefined, { params, body: { paused: true } })
  const paused = await notify(feed, '[{}]')
  expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '300'])
  await admin.ops('updateFeed', undefined, { params, body: { paused: false } })
  expect((await notify(feed, '[{}]')).status).toBe(204)
  await admin.ops('removeFeed', undefined, { params })
  expect((await notify(feed, '[{}]')).status).toBe(404)
  expect(await admin.messages(sender)).toHaveLength(1)
})

test('requests without the secret of a feed do not use up the limit of the carrier', async () => {
  await withinOneMinute(async () => {
    const limited = await startService({ rateLimit: 3 })
    const feed = await admin.add({ sender: 'MAEU', format: 'dcsa-2.2', channel: 'push' })
    const at = {
      ...feed,
      push: { ...feed.push, callback_url: `${limited.baseUrl}/feeds/v1/${feed.feed_id}` },
    } as typeof feed
    const from = (address: string, signature = signatureOf('[{}]', feed.secret ?? '')) =>
      notify(at, '[{}]', { 'x-forwarded-for': address, 'notification-signature': signature })
    const statuses = []
    for (const _ of [1, 2, 3, 4]) statuses.push((await from('203.0.113.1', 'sha256=00')).status)
    expect(statuses).toEqual([401, 401, 401, 429])
    expect((await from('203.0.113.2')).status).toBe(204)
  })
})

test('events of many notifications in any order are applied once', async () => {
  const { feed, ship, containers, work, processed } = await newCarrier()
  const svc_shipment_id = await ship()
  const contents = Array.from({ length: 12 }, (_, index) =>
    JSON.stringify([
      containerEvent(containers[index % 2] as string, {
        at: 'CNNGB',
        code: 'GTIN',
        day: 5 + (index % 6),
        id: `gate ${index % 6}`,
      }),
    ]),
  )
  const sent = await Promise.all(contents.map((content) => notify(feed, content)))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([204]))
  const outcomes = await processed(12)
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(6)
  expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(6)
  const { body } = await work('getTracking', { params: { svc_shipment_id } })
  expect(body.steps.flatMap(({ events }) => events)).toHaveLength(6)
})
