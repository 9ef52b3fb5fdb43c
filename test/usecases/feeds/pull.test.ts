import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCarrierServer } from '../../support/carrier-server.js'
import { feedAdmin } from '../../support/feeds.js'
import { containerEvent, vesselEvent } from '../../support/messages.js'
import { until } from '../../support/program.js'
import { pullFeeds } from '../../support/pull-feeds.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

/** Feeds that are fetched, from a carrier over HTTP. */

const service = await serviceOnNewDatabase('feeds')
const admin = await feedAdmin(service)

const { startPuller, newFeed } = pullFeeds(service, admin)

const gates = (containers: string[], count: number) =>
  Array.from({ length: count }, (_, index) =>
    containerEvent(containers[index % 2] as string, { at: 'CNNGB', code: 'GTIN', day: 5 + index, id: `gate ${index}` }),
  )

test('all pages are fetched and applied, with the key, and the next round asks for what is new', async () => {
  const { server, ship, containers, work, messages, caughtUp, again, pull } = await newFeed()
  const svc_shipment_id = await ship()
  server.events = gates(containers, 6)
  startPuller()
  await caughtUp()
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v2/events?limit=100',
    '/v2/events?limit=100&cursor=2',
    '/v2/events?limit=100&cursor=4',
  ])
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer k-1']))
  expect((await messages()).map(({ channel, outcome }) => [channel, outcome])).toEqual(
    Array.from({ length: 3 }, () => ['pull', 'applied']),
  )
  const tracked = async () =>
    (await work('getTracking', { params: { svc_shipment_id } })).body.steps.flatMap(({ events }) => events)
  expect(await tracked()).toHaveLength(6)
  // Some minutes before the newest event, which was created on the 10th at 20:00.
  expect(await pull()).toMatchObject({ failures: 0, since: '2026-03-10T19:55:00.000Z' })
  expect((await pull())?.cursor).toBeUndefined()

  await again()
  expect(server.requests.at(-1)?.path).toBe(
    '/v2/events?limit=100&eventCreatedDateTime:gte=2026-03-10T19%3A55%3A00.000Z',
  )
  // The event of the overlap, in other bytes than before; the third time it brings nothing.
  expect((await messages()).map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied', 'duplicate'])
  await again()
  expect(await messages()).toHaveLength(4)
  expect(await tracked()).toHaveLength(6)
})

test('pages that repeat and reorder events give the same result', async () => {
  const { server, ship, booking, dates, containers, work, caughtUp, change } = await newFeed()
  const svc_shipment_id = await ship()
  const eta = (day: number, issued: number) =>
    vesselEvent(booking, { at: 'DEHAM', code: 'ARRI', status: 'EST', day, issued, id: 'eta' })
  const events = [eta(22, 3), eta(25, 5), ...gates(containers, 4)]
  server.events = [...events.toReversed(), ...events, events[0], events[3], events[1]] as typeof server.events
  startPuller()
  await caughtUp()
  const seen = async () => ({
    dates: await dates(svc_shipment_id),
    events: (await work('getTracking', { params: { svc_shipment_id } })).body.steps.flatMap((step) => step.events)
      .length,
  })
  const before = await seen()
  expect(before.dates.arrival_date).toEqual({ date: '2026-03-25T08:00:00+08:00', status: 'estimated' })
  expect(before.events).toBe(5)
  server.events = events.toReversed()
  const now = new Date()
  await change({ since: '2026-01-01T00:00:00Z' })
  await caughtUp(now)
  expect(await seen()).toEqual(before)
})

test('a carrier that asks to wait is left alone for that time', async () => {
  const { server, messages, containers, pull, change, caughtUp } = await newFeed()
  server.events = gates(containers, 2)
  const waits = ['3600', new Date(Date.now() + 7_200_000).toUTCString()]
  for (const [index, wait] of waits.entries()) {
    server.interfere = (_, response) => {
      response.writeHead(429, { 'retry-after': wait }).end()
      return true
    }
    if (index === 0) startPuller()
    else await change({ paused: false })
    await until(async () => ((await pull())?.failures ?? 0) > 0)
    const state = await pull()
    expect(state?.error).toBe('The carrier asks to wait (429).')
    const seconds = (Date.parse(state?.next_attempt_at ?? '') - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(3500 * (index + 1))
    expect(seconds).toBeLessThan(3700 * (index + 1))
    const { length } = server.requests
    await sleep(200)
    expect(server.requests).toHaveLength(length)
  }
  expect(await messages()).toEqual([])
  server.interfere = undefined
  await change({ paused: false })
  await caughtUp()
  expect(await messages()).toHaveLength(1)
})

type Interference = NonNullable<Awaited<ReturnType<typeof startCarrierServer>>['interfere']>
const failures: [string, Interference, RegExp][] = [
  ['an error', (_, response) => Boolean(response.writeHead(500).end('secret')), /^The carrier responds with 500\.$/],
  ['a refusal', (_, response) => Boolean(response.writeHead(401).end()), /^The carrier refuses the key \(401\)\.$/],
  ['a page of HTML', (_, response) => Boolean(response.end('<html>')), /is not JSON/],
  ['another object', (_, response) => Boolean(response.end('{"error":"x"}')), /is not a list of events/],
  ['too many values', (_, response) => Boolean(response.end(`[${'1,'.repeat(100_001)}1]`)), /too many values/],
  ['too many bytes', (_, response) => Boolean(response.end(`["${'x'.repeat(5 * 1024 * 1024)}"]`)), /larger than 4 MiB/],
  [
    'compressed bytes',
    (_, response) => Boolean(response.writeHead(200, { 'content-encoding': 'gzip' }).end('[]')),
    /is compressed/,
  ],
  [
    'a redirect',
    (_, response) => Boolean(response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
    /redirects \(302\)/,
  ],
  [
    'a next page at another host',
    (_, response) => Boolean(response.writeHead(200, { 'next-page': 'http://127.0.0.2/v2/events' }).end('[]')),
    /at another host/,
  ],
  [
    'a next page that is the page itself',
    (request, response) => Boolean(response.writeHead(200, { 'next-page': request.url }).end('[]')),
    /is the page itself/,
  ],
  ['a lost connection', (request) => Boolean(request.socket.destroy()), /cannot be reached/],
  [
    'half a response',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[')
      setTimeout(() => request.socket.destroy(), 50)
      return true
    },
    /cannot be reached|ended early/,
  ],
  ['no response', () => true, /does not respond within/],
]

test.each(failures)('after %s on the second page, fetching goes on from there', async (_, interfere, error) => {
  const { server, containers, messages, pull, change, caughtUp } = await newFeed()
  server.events = gates(containers, 6)
  server.interfere = (request, response) => (request.url?.includes('cursor=2') ? interfere(request, response) : false)
  startPuller({ timeout: 1000 })
  await until(async () => ((await pull())?.failures ?? 0) > 0)
  const state = await pull()
  expect(state?.error).toMatch(error)
  expect(state?.cursor).toContain('cursor=2')
  expect(Date.parse(state?.next_attempt_at ?? '')).toBeGreaterThan(Date.now())
  expect(await messages()).toHaveLength(1)
  server.interfere = undefined
  await change({ paused: false })
  await caughtUp()
  expect(await messages()).toHaveLength(3)
  expect(server.requests.filter(({ path }) => !path.includes('cursor'))).toHaveLength(1)
  expect((await pull())?.error).toBeUndefined()
})

test('each further failure puts off the next attempt for longer', async () => {
  const { server, pull, feed_id } = await newFeed()
  server.interfere = (_, response) => Boolean(response.writeHead(503).end())
  startPuller()
  const waits: number[] = []
  for (let failed = 1; failed <= 4; failed += 1) {
    await until(async () => (await pull())?.failures === failed)
    const { next_attempt_at = '', last_attempt_at = '' } = (await pull()) ?? {}
    waits.push((Date.parse(next_attempt_at) - Date.parse(last_attempt_at)) / 1000)
    await service.db`update feeds set next_attempt_at = now() where feed_id = ${feed_id}`
  }
  for (const [index, seconds] of waits.entries()) {
    expect(seconds).toBeGreaterThan(2.4 * 2 ** index)
    expect(seconds).toBeLessThan(5 * 2 ** index + 5)
  }
})

test('a page that the carrier does not know any more is looked for from the beginning of the round', async () => {
  const { server, containers, messages, change, caughtUp, pull } = await newFeed()
  server.events = gates(containers, 4)
  let isKnown = false
  server.interfere = (request, response) =>
    !isKnown && request.url?.includes('cursor') ? Boolean(response.writeHead(410).end()) : false
  startPuller()
  await until(async () => ((await pull())?.failures ?? 0) > 0)
  expect((await pull())?.cursor).toBeUndefined()
  isKnown = true
  await change({ paused: false })
  await caughtUp()
  expect(server.requests.map(({ path }) => path.includes('cursor'))).toEqual([false, true, false, true])
  // The first page is not stored twice.
  expect(await messages()).toHaveLength(2)
})

test('events of any form, and times that are none, are stored as they are', async () => {
  const { server, messages, caughtUp, pull } = await newFeed()
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const times = [deep, '{}', '7', 'null', '"yesterday"', '"2026-03-04T00:00:00Z"'].map(
    (time) => `{"eventCreatedDateTime":${time},"metadata":null}`,
  )
  const content = `["${'x'.repeat(1_000_000)}",null,7,${deep},${times.join(',')}]`
  server.interfere = (_, response) => Boolean(response.end(content))
  startPuller()
  await caughtUp()
  expect((await pull())?.since).toBe('2026-03-03T23:55:00.000Z')
  expect((await messages()).map(({ outcome, size }) => [outcome, size])).toEqual([['unreadable', content.length]])
})

test('cursors in headers are followed as well, and filters and the header of the key are as set', async () => {
  const url = 'v3/events?equipmentReference=MSKU7031415&limit=10'
  const { server, messages, caughtUp, change } = await newFeed({ format: 'dcsa-3.0', key_header: 'Consumer-Key' })
  server.interfere = (request, response) => {
    const isLast = request.url?.includes('cursor')
    response.writeHead(200, isLast ? {} : { 'next-page-cursor': 'a b/c=' })
    return Boolean(
      response.end(JSON.stringify({ events: isLast ? [] : [{ eventUpdatedDateTime: '2026-03-01T00:00:00Z' }] })),
    )
  }
  await change({ url: `${server.url}/${url}` })
  startPuller()
  await caughtUp()
  expect(server.requests.map(({ path }) => path)).toEqual([
    `/${url}`,
    '/v3/events?equipmentReference=MSKU7031415&limit=10&cursor=a+b%2Fc%3D',
  ])
  expect(server.requests[0]?.headers).toMatchObject({ 'consumer-key': 'k-1', 'api-version': '3.0.0' })
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
  // The empty page is not stored.
  expect(await messages()).toHaveLength(1)
})

test('several processes fetch each page once, one at a time', async () => {
  const { server, containers, messages, caughtUp } = await newFeed()
  server.events = gates(containers, 20)
  server.interfere = async () => {
    await sleep(10)
    return false
  }
  for (const _ of [1, 2, 3]) startPuller()
  await caughtUp()
  expect(server.requests).toHaveLength(10)
  expect(new Set(server.requests.map(({ path }) => path)).size).toBe(10)
  expect(server.mostUnderWay).toBe(1)
  expect(await messages()).toHaveLength(10)
})

test('what was fetched with settings that have changed meanwhile is not stored', async () => {
  const { server, containers, messages, change, caughtUp } = await newFeed()
  server.events = gates(containers, 2)
  let go = () => {}
  const waiting = new Promise<void>((resolve) => {
    go = resolve
  })
  server.interfere = async () => {
    await waiting
    return false
  }
  startPuller()
  await until(() => server.requests.length === 1)
  const elsewhere = await startCarrierServer()
  elsewhere.events = gates(containers, 2).slice(1)
  await change({ url: elsewhere.url })
  await caughtUp()
  go()
  await until(() => server.underWay === 0)
  await sleep(100)
  expect((await messages()).map(({ counts }) => counts.events)).toEqual([1])
})

test('a process that stops gives its feed to the next one', async () => {
  const { server, containers, messages, caughtUp, pull } = await newFeed()
  server.events = gates(containers, 2)
  server.interfere = () => true
  const first = startPuller()
  await until(() => server.requests.length === 1)
  await first.end()
  expect((await pull())?.failures).toBe(0)
  server.interfere = undefined
  startPuller()
  await caughtUp()
  expect(await messages()).toHaveLength(1)
})

test('a paused feed is not fetched', async () => {
  const { server, change, caughtUp } = await newFeed()
  await change({ paused: true })
  startPuller()
  await sleep(200)
  expect(server.requests).toEqual([])
  await change({ paused: false })
  await caughtUp()
})

test.each(['127.0.0.1', 'localhost', '[::1]', '2130706433', '169.254.169.254', '[::ffff:127.0.0.1]'])(
  'nothing is fetched from %s unless a setting allows it, and never from where clouds keep credentials',
  async (host) => {
    const { server, change, pull } = await newFeed()
    const { port } = new URL(server.url)
    await change({ url: `http://${host}:${port}` })
    startPuller({ allowsPrivate: host.startsWith('169') })
    await until(async () => ((await pull())?.failures ?? 0) > 0)
    expect((await pull())?.error).toMatch(/is private|is reserved/)
    expect(server.requests).toEqual([])
  },
)
