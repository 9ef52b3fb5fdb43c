import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { updateSearchIndex } from '../../src/store/search/search-state.js'
import { line, newAccount } from '../support/account.js'
import { openChanges } from '../support/change-stream.js'
import { startDatabaseProxy } from '../support/database-proxy.js'
import { readSamples, valueIn } from '../support/metrics.js'
import { withinOneMinute } from '../support/one-minute.js'
import { newOperator } from '../support/operator.js'
import { asVisitor, newPerson } from '../support/person.js'
import { sendBytes } from '../support/raw-http.js'
import { serviceOnNewDatabase } from '../support/round-trip.js'
import { startService } from '../support/service.js'

/** The exported metrics; aggregation over workers is tested in `workers.test.ts`. */

const service = await serviceOnNewDatabase('metrics')
const { baseUrl, db } = service
const guarded = await startService({ metricsToken: 'a token of some length' })

/** Polls: a response is counted after it was sent, so the client may read it earlier. */
function expectValue(name: string, labels: Record<string, string> = {}, at = baseUrl) {
  return expect.poll(async () => valueIn(await readSamples(at), name, labels))
}

describe('request metrics', () => {
  test('requests are counted by interface, even if operations have the same name', async () => {
    const account = await newAccount(service)
    const { ops } = await newOperator(service)
    const person = await newPerson(service, account)
    await account.call('listLocations')
    await ops('listLocations', account.slug)
    await person.portal('getSession')
    await asVisitor(service, 'getSession')
    for (const [side, operation, status] of [
      ['public', 'listLocations', '200'],
      ['operator', 'listLocations', '200'],
      ['portal', 'getSession', '200'],
      ['portal', 'getSession', '401'],
    ] as const) {
      await expectValue('waybill_requests_total', { interface: side, operation, status }).toBe(1)
      const labels = { interface: side, operation, status_class: `${status[0]}xx` }
      await expectValue('waybill_request_duration_seconds_count', labels).toBe(1)
    }
  })

  test('refused requests are counted by code, including malformed requests and those refused before routing', async () => {
    const { call } = await newAccount(service)
    const order = { body: { reference: 'P-1', product_lines: [line()] }, idempotencyKey: 'once' }
    await call('createPurchaseOrder', { body: order.body })
    for (let time = 0; time < 2; time += 1) {
      expect(await call('createPurchaseOrder', order)).toBeRefused('purchase_order_exists')
    }
    await expectValue('waybill_refusals_total', { interface: 'public', code: 'purchase_order_exists' }).toBe(2)
    expect((await sendBytes(baseUrl, Buffer.from('NONSENSE\r\n\r\n'))).status).toBe(400)
    await expectValue('waybill_requests_total', { operation: 'unreadable', status: '400' }).toBe(1)
    expect((await fetch(`${baseUrl}/docs/nowhere`)).status).toBe(404)
    await expectValue('waybill_refusals_total', { interface: 'other', code: 'path_not_found' }).toBe(1)
  })

  test('rate-limited requests are counted, and failure counters start at 0', async () => {
    await withinOneMinute(async () => {
      const limited = await startService({ rateLimit: 3 })
      const { callAt } = await newAccount(limited)
      const at = limited.baseUrl
      for (const code of ['rate_limited', 'internal_error', 'service_unavailable']) {
        for (const side of ['public', 'operator', 'portal', 'other']) {
          await expectValue('waybill_refusals_total', { interface: side, code }, at).toBe(0)
        }
      }
      for (let time = 0; time < 5; time += 1) await callAt(limited, 'listLocations')
      await expectValue('waybill_refusals_total', { interface: 'public', code: 'rate_limited' }, at).toBe(2)
    })
  })

  test('requests without an operation add no labels from client input', async () => {
    for (const path of ['/v1/one', '/v1/two?x=1', '/portal/v1/three', '/opsx', '/%7Efour']) await fetch(baseUrl + path)
    await expectValue('waybill_requests_total', { interface: 'portal', operation: 'other', status: '404' }).toBe(1)
    const names = (await readSamples(baseUrl)).flatMap(({ labels }) => Object.values(labels))
    expect(names.filter((name) => /one|two|three|four|x=1/.test(name) && name !== 'none')).toEqual([])
  })
})

test('cache hits and misses are counted separately', async () => {
  const remembering = await startService({ cacheBytes: 1_000_000 })
  const { callAt, forwarder } = await newAccount(remembering)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1' } })
  for (let time = 0; time < 3; time += 1)
    await callAt(remembering, 'getShipment', { params: { svc_shipment_id: 'S-1' } })
  const samples = await readSamples(remembering.baseUrl)
  expect(valueIn(samples, 'waybill_response_cache_misses_total')).toBe(1)
  expect(valueIn(samples, 'waybill_response_cache_hits_total')).toBe(2)
  expect(valueIn(samples, 'waybill_response_cache_bytes')).toBeGreaterThan(100)
  expect(valueIn(samples, 'waybill_response_cache_limit_bytes')).toBe(1_000_000)
  expect(valueIn(samples, 'waybill_reads_total', { from: 'primary' })).toBe(1)
})

test('the revision counter rises by one per write, and the search metrics report the backlog until it is indexed', async () => {
  const account = await newAccount(service)
  await newPerson(service, account)
  await updateSearchIndex(db, account.id)
  const before = await readSamples(baseUrl)
  const revisions = valueIn(before, 'waybill_revisions_total') as number
  const behind = valueIn(before, 'waybill_search_behind_accounts') as number
  for (const reference of ['P-1', 'P-2', 'P-3']) {
    await account.call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })
  }
  await db`update changes set at = at - interval '1 hour' where account_id = ${account.id} and id = 'P-1'`
  const after = await readSamples(baseUrl)
  expect(valueIn(after, 'waybill_revisions_total')).toBe(revisions + 3)
  expect(valueIn(after, 'waybill_search_behind_accounts')).toBe(behind + 1)
  expect(valueIn(after, 'waybill_search_behind_seconds')).toBeGreaterThanOrEqual(3600)
  expect(valueIn(after, 'waybill_search_behind_seconds')).toBeLessThan(3700)

  await updateSearchIndex(db, account.id)
  const later = await readSamples(baseUrl)
  expect(valueIn(later, 'waybill_search_behind_accounts')).toBe(behind)
  expect(valueIn(later, 'waybill_search_behind_seconds')).toBe(0)
})

test('gauges count open event streams and open sessions', async () => {
  const account = await newAccount(service)
  const sessions = valueIn(await readSamples(baseUrl), 'waybill_sessions') as number
  const person = await newPerson(service, account)
  const stream = await openChanges(service, person)
  await expectValue('waybill_event_streams').toBe(1)
  await expectValue('waybill_sessions').toBe(sessions + 1)
  stream.cut()
  await expectValue('waybill_event_streams').toBe(0)
  await expectValue('waybill_requests_total', { operation: 'streamChanges', status: '200' }).toBe(1)
  // The duration of a stream is not part of the request durations.
  await expectValue('waybill_request_duration_seconds_count', { operation: 'streamChanges' }).toBe(undefined)
  await person.portal('signOut')
  await expectValue('waybill_sessions').toBe(sessions)
})

test('pool gauges count running and waiting transactions and the connection states seen by the database', async () => {
  const pool = await startService({ db: openDatabase({ url: service.url }, { connections: 2, name: 'waybill pool' }) })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // Leave one connection for the metrics queries.
  const underWay = pool.db.begin(async (sql) => {
    await sql`select 1`
    await released
  })
  await expectValue('waybill_transactions', { state: 'running' }, pool.baseUrl).toBe(1)
  await expectValue('waybill_database_connections', { state: 'in_transaction' }, pool.baseUrl).toBe(1)
  await expectValue('waybill_database_connections_limit', {}, pool.baseUrl).toBe(2)
  const second = pool.db.begin(() => released)
  const third = pool.db.begin(() => released)
  await expectValue('waybill_transactions', { state: 'waiting' }, pool.baseUrl).toBe(1)
  // No connection is free for the query, and the metrics are still exported.
  expect(valueIn(await readSamples(pool.baseUrl), 'waybill_database_up')).toBe(0)
  release()
  await Promise.all([underWay, second, third])
  for (const state of ['running', 'waiting']) {
    await expectValue('waybill_transactions', { state }, pool.baseUrl).toBe(0)
  }
})

test('while the database is unreachable, metrics report it, omit unknown values, and recover', async () => {
  const road = await startDatabaseProxy()
  const cutOff = await startService({ db: openDatabase({ url: road.url }, { connections: 2 }) })
  await expectValue('waybill_database_up', {}, cutOff.baseUrl).toBe(1)
  await road.close()
  const samples = await readSamples(cutOff.baseUrl)
  expect(valueIn(samples, 'waybill_database_up')).toBe(0)
  // A counter that drops to 0 would look like a restart.
  expect(valueIn(samples, 'waybill_revisions_total')).toBe(undefined)
  expect(valueIn(samples, 'waybill_database_connections')).toBe(undefined)
  await road.open()
  await expectValue('waybill_database_up', {}, cutOff.baseUrl).toBe(1)
})

describe('access to metrics', () => {
  const request = (at: string, headers: Record<string, string> = {}) => fetch(`${at}/metrics`, { headers })

  test('metrics are available to direct clients in a private network, and not through a proxy', async () => {
    expect((await request(baseUrl)).status).toBe(200)
    for (const name of ['x-forwarded-for', 'forwarded']) {
      for (const value of ['203.0.113.7', '127.0.0.1', '']) {
        const response = await request(baseUrl, { [name]: value })
        expect({ name, value, status: response.status }).toEqual({ name, value, status: 404 })
        expect(await response.json()).toMatchObject({ code: 'path_not_found' })
      }
    }
  })

  test('metrics are not available by a name that anybody can register, as by DNS rebinding', async () => {
    const { port } = new URL(baseUrl)
    const statusFor = async (host: string, at = baseUrl) => {
      const bytes = Buffer.from(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      return (await sendBytes(at, bytes)).status
    }
    for (const host of [
      '127.0.0.1',
      `localhost:${port}`,
      '[::1]:80',
      '10.0.0.5',
      'waybill',
      'waybill.svc.cluster.local',
    ])
      expect({ host, status: await statusFor(host) }).toEqual({ host, status: 200 })
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', ''])
      expect({ host, status: await statusFor(host) }).toEqual({ host, status: 404 })
    const named = await startService({ publicUrl: 'https://waybill.example' })
    expect(await statusFor('waybill.example', named.baseUrl)).toBe(200)
    expect(await statusFor('other.example', named.baseUrl)).toBe(404)
  })

  test('with a token set, metrics are available from anywhere with the token, and never without it', async () => {
    const { baseUrl: at } = guarded
    expect(await (await request(at)).json()).toMatchObject({ code: 'missing_key', status: 401 })
    for (const given of ['Bearer another token', 'Bearer ', 'Basic YTpi', 'a token of some length']) {
      expect((await request(at, { authorization: given })).status, given).toBe(401)
    }
    // Such a token cannot be configured; the test shows that it is compared literally.
    const token = 'a-token-without-spaces'
    const other = await startService({ metricsToken: token })
    const authorization = `Bearer ${token}`
    expect((await request(other.baseUrl, { authorization })).status).toBe(200)
    expect((await request(other.baseUrl, { authorization, 'x-forwarded-for': '203.0.113.7' })).status).toBe(200)
    expect((await request(other.baseUrl, { authorization: `${authorization}x` })).status).toBe(401)
  })
})

test('metrics contain no account, person or local path', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  await account.call('listLocations')
  await person.portal('getSession')
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? [])
  for (const secret of [account.slug, account.key_id, person.person_id, person.email, service.dataFolder, ...addresses])
    expect(text).not.toContain(secret)
})

test('metrics say how many messages wait and since when, when a sender last sent one, and how far a feed is behind', async () => {
  const sender = `metrics-${process.pid}`
  await db`
    insert into messages (sender, channel, format, hash, content, outcome, received_at)
    values (${sender}, 'http', 'dcsa', 'h', '', 'received', now() - interval '2 days'),
      (${sender}, 'http', 'dcsa', 'i', '', 'applied', now() - interval '1 hour')`
  await db`
    insert into feeds (feed_id, sender, channel, format, url, interval_seconds, created_at, failures, next_attempt_at)
    values (${sender}, ${sender}, 'pull', 'dcsa-2.2', 'https://carrier.example', 300, now() - interval '3 hours', 4, now() + interval '1 day')`
  const samples = await readSamples(baseUrl)
  expect(valueIn(samples, 'waybill_messages_waiting')).toBeGreaterThanOrEqual(1)
  expect(valueIn(samples, 'waybill_messages_waiting_seconds')).toBeGreaterThanOrEqual(2 * 86_400)
  const last = valueIn(samples, 'waybill_last_message_timestamp_seconds', { sender }) as number
  expect(Math.abs(Date.now() / 1000 - 3600 - last)).toBeLessThan(100)
  expect(valueIn(samples, 'waybill_feed_lag_seconds', { sender, feed_id: sender })).toBeGreaterThanOrEqual(3 * 3600)
  expect(valueIn(samples, 'waybill_feed_failures', { sender, feed_id: sender })).toBe(4)
  await db`delete from messages where sender = ${sender}`
  await db`delete from feeds where sender = ${sender}`
  const later = await readSamples(baseUrl)
  expect(valueIn(later, 'waybill_feed_lag_seconds', { sender, feed_id: sender })).toBeUndefined()
})
