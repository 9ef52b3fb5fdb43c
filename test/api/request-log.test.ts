import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { openRequestLog } from '../../src/api/observability/request-log.js'
import { openDatabase } from '../../src/database/database.js'
import { findPrincipal, type Principal } from '../../src/store/keys.js'
import { removeOldRequests } from '../../src/store/requests.js'
import { line, newAccount, type TestAccount } from '../support/account.js'
import { startDatabaseProxy } from '../support/database-proxy.js'
import { newPerson } from '../support/person.js'
import { until } from '../support/program.js'
import { sendRaw } from '../support/raw-http.js'
import { startService } from '../support/service.js'

const service = await startService({ requestLogDays: 7 })
const limited = await startService({ requestLogDays: 7, rateLimit: 3 })
const silent = await startService({ requestLogDays: 0 })

type RequestOptions = {
  method?: string
  path: string
  key?: string | undefined
  headers?: Record<string, string>
  body?: unknown
}

async function request({ method = 'GET', path, key, headers, body }: RequestOptions, baseUrl = service.baseUrl) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await response.text()
  return { status: response.status, request_id: response.headers.get('x-request-id') ?? '' }
}

type Logged = { key_id: string; method: string; path: string; status: number; request_id: string; duration_ms: number }

async function loggedOf({ id }: TestAccount): Promise<Logged[]> {
  return service.db<Logged[]>`
    select key_id, method, path, status, request_id, duration_ms from requests where account_id = ${id} order by at, request_id`
}

/** The logged requests, once there are that many. */
async function untilLogged(account: TestAccount, count: number): Promise<Logged[]> {
  await until(async () => (await loggedOf(account)).length >= count)
  return loggedOf(account)
}

async function newMember() {
  const account = await newAccount(service)
  return { ...account, ...(await newPerson(service, account, 'member')) }
}

test('every completed request with a key is logged, on the fast path and in the framework', async () => {
  const { key, key_id, forwarder, ...account } = await newMember()
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S 1' } })
  const order = { reference: 'P-1', product_lines: [line()] }
  const requested = [
    { path: '/v1/shipments/S%201' },
    { path: '/v1/shipments?take=1&skip=0' },
    { path: '/v1/shipments?take=1' },
    { path: '/v1/shipments?take=1' },
    { path: '/v1/purchaseOrders' },
    { path: '/v1/purchaseOrders', method: 'POST', body: order },
    { path: '/v1/purchaseOrders', method: 'PATCH', body: order },
    { path: '/v1/purchaseOrders', method: 'PATCH', body: order, headers: { 'idempotency-key': 'once' } },
    { path: '/v1/purchaseOrders/P-1', method: 'HEAD' },
  ]
  const responses = []
  for (const each of requested) responses.push({ ...each, ...(await request({ ...each, key })) })
  const logged = await untilLogged({ key, key_id, forwarder, ...account }, requested.length)
  expect(
    logged.map(({ method, path, status, request_id, key_id: by }) => [method, path, status, request_id, by]),
  ).toEqual(responses.map(({ method = 'GET', path, status, request_id }) => [method, path, status, request_id, key_id]))
  for (const { duration_ms } of logged) expect(duration_ms).toBeGreaterThanOrEqual(0)
})

test('refused requests are logged, too, if the key is known', async () => {
  const account = await newMember()
  const { key } = await newAccount(service, { scopes: ['read'] })
  const refusals = [
    [404, { path: '/v1/shipments/none' }],
    [400, { path: '/v1/shipments?take=0' }],
    [400, { path: '/v1/shipments?take=%zz' }],
    [404, { path: '/v1/shipmens' }],
    [405, { path: '/v1/locations', method: 'DELETE' }],
    [400, { path: '/v1/purchaseOrders', method: 'POST', body: { reference: 'P' } }],
    [415, { path: '/v1/purchaseOrders', method: 'POST', headers: { 'content-type': 'text/plain' } }],
  ] as const
  for (const [status, each] of refusals) {
    expect((await request({ ...each, key: account.key })).status, each.path).toBe(status)
  }
  const logged = await untilLogged(account, refusals.length)
  expect(logged.map(({ status, path }) => [status, path])).toEqual(refusals.map(([status, { path }]) => [status, path]))
  expect((await request({ path: '/v1/purchaseOrders', method: 'POST', body: {}, key })).status).toBe(403)
})

test('a rate-limited request is logged', async () => {
  const account = await newAccount(limited)
  const statuses = []
  for (let count = 0; count < 6; count++) {
    statuses.push((await request({ path: '/v1/locations', key: account.key }, limited.baseUrl)).status)
  }
  expect(statuses).toContain(429)
  expect((await untilLogged(account, 6)).map(({ status }) => status)).toEqual(statuses)
})

test('requests without a key, and requests outside /v1, are not logged', async () => {
  const account = await newMember()
  await request({ path: '/v1/locations', headers: account.headers })
  await request({ path: '/v1/locations' })
  await request({ path: '/v1/locations', key: `${account.key.slice(0, -1)}${account.key.endsWith('a') ? 'b' : 'a'}` })
  await request({ path: '/health/live', key: account.key })
  await request({ path: '/v1/locations?last', key: account.key })
  expect((await untilLogged(account, 1)).map(({ path }) => path)).toEqual(['/v1/locations?last'])
})

test('the log contains no secrets, and long paths are truncated', async () => {
  const account = await newMember()
  const path = `/v1/shipments/${'x'.repeat(900)}`
  await request({ path, key: account.key })
  const [logged] = await untilLogged(account, 1)
  expect(logged?.path).toBe(path.slice(0, 500))
  // Keys in places where people put them by mistake.
  await request({ path: `/v1/shipments?api_key=${account.key}&take=1`, key: account.key })
  const [, requested] = await untilLogged(account, 2)
  expect(requested?.path).toBe('/v1/shipments?api_key=wb_...&take=1')
  await request({ path: `/v1/shipments?note=${'-'.repeat(460)}${account.key}`, key: account.key })
  const cut = (await untilLogged(account, 3)).at(2)
  expect(cut?.path).toHaveLength('/v1/shipments?note='.length + 460 + 'wb_...'.length)
  const rows = await service.db`select * from requests where account_id = ${account.id}`
  expect(JSON.stringify(rows)).not.toContain(account.key.slice(0, 10))
})

test('the log is read newest first, in pages, by key and outcome, for one account only', async () => {
  const { portal, key, key_id, ...account } = await newMember()
  const second = (await portal('createOwnKey', { body: {} })).body
  const stranger = await newMember()
  await request({ path: '/v1/locations', key: stranger.key })
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    ids.unshift((await request({ path: `/v1/locations?skip=${count}`, key })).request_id)
    ids.unshift((await request({ path: `/v1/shipments/none-${count}`, key: second.key })).request_id)
  }
  await untilLogged({ ...account, key, key_id }, 10)

  const whole = (await portal('listRequests')).body
  expect(whole.requests.map(({ request_id }) => request_id)).toEqual(ids)
  expect(whole.next).toBeUndefined()
  const pages: string[][] = []
  for (let after: string | undefined; ; ) {
    const { requests, next } = (await portal('listRequests', { query: { take: 4, ...(after && { after }) } })).body
    pages.push(requests.map(({ request_id }) => request_id))
    if (next === undefined) break
    after = next
  }
  expect(pages.map((page) => page.length)).toEqual([4, 4, 2])
  expect(pages.flat()).toEqual(ids)

  const paths = async (query: object) => (await portal('listRequests', { query })).body.requests.map(({ path }) => path)
  expect(await paths({ key_id })).toEqual([4, 3, 2, 1, 0].map((skip) => `/v1/locations?skip=${skip}`))
  expect(await paths({ outcome: 'refused' })).toEqual([4, 3, 2, 1, 0].map((count) => `/v1/shipments/none-${count}`))
  expect(await paths({ outcome: 'refused', key_id })).toEqual([])
  expect(await paths({ outcome: 'success', take: 2 })).toEqual(['/v1/locations?skip=4', '/v1/locations?skip=3'])
  expect(await paths({ outcome: 'failed' })).toEqual([])
  expect(await paths({ key_id: stranger.key_id })).toEqual([])
  // An invalid time and an invalid text would be database errors.
  const forged = [
    '2026-02-30T00:00:00.000000Z req_1',
    '0000-01-01T00:00:00.000000Z req_1',
    `2026-02-01T00:00:00.000000Z a\0`,
  ]
  for (const after of ['nonsense', ...forged.map((text) => Buffer.from(text).toString('base64url'))]) {
    const refused = await portal('listRequests', { query: { after } })
    expect(refused).toBeRefused('invalid_request')
    expect(refused.problem.errors?.map(({ pointer }) => pointer)).toEqual(['/after'])
  }
})

test('a burst of requests is written in batches without loss', async () => {
  const account = await newMember()
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => request({ path: `/v1/locations?skip=${index}`, key: account.key })),
  )
  const logged = await untilLogged(account, 100)
  expect(new Set(logged.map(({ path }) => path)).size).toBe(100)
})

test('a key with very many requests keeps its newest ones, and does not displace those of other keys', async () => {
  const [busy, calm] = [await newAccount(service), await newAccount(service)]
  const app = fastify()
  const log = openRequestLog(app, service.db, 7)
  await app.ready()
  const noted = (caller: Principal, number: number) =>
    log.add({
      caller,
      requestId: `req_${number}`,
      method: 'GET',
      url: '/v1/x',
      status: 200,
      at: Date.now(),
      duration: 1,
    })
  const [busyKey, calmKey] = [await findPrincipal(service.db, busy.key), await findPrincipal(service.db, calm.key)]
  noted(calmKey!, 0)
  for (let number = 1; number <= 50_000; number++) noted(busyKey!, number)
  await app.close()
  expect((await loggedOf(calm)).length).toBe(1)
  const kept = (await loggedOf(busy)).map(({ request_id }) => Number(request_id.slice(4)))
  expect(Math.max(...kept)).toBe(50_000)
  expect(kept.length).toBeLessThan(8200)
})

test('queued requests are written when the service closes', async () => {
  const account = await newAccount(service)
  const app = fastify()
  const log = openRequestLog(app, service.db, 7)
  await app.ready()
  const caller = (await findPrincipal(service.db, account.key))!
  for (let number = 0; number < 1500; number++) {
    log.add({
      caller,
      requestId: `req_${number}`,
      method: 'GET',
      url: '/v1/x',
      status: 200,
      at: Date.now(),
      duration: 1,
    })
  }
  await app.close()
  expect(await loggedOf(account)).toHaveLength(1500)
})

test('an unreachable database fails no request because of the log, and queued requests are written later', async () => {
  const road = await startDatabaseProxy()
  const cut = await startService({ db: openDatabase({ url: road.url }, { connections: 2 }), requestLogDays: 7 })
  const account = await newAccount(service)
  expect((await request({ path: '/v1/locations?skip=1', key: account.key }, cut.baseUrl)).status).toBe(200)
  await road.close()
  for (let count = 0; count < 3; count++) {
    expect((await request({ path: '/v1/locations', key: account.key }, cut.baseUrl)).status).toBe(503)
    expect((await request({ path: '/health/live' }, cut.baseUrl)).status).toBe(200)
  }
  await road.open()
  await until(
    async () => (await request({ path: '/v1/locations?skip=2', key: account.key }, cut.baseUrl)).status === 200,
  )
  await until(async () => (await loggedOf(account)).some(({ path }) => path.endsWith('skip=2')))
  expect((await loggedOf(account)).map(({ path }) => path)).toContain('/v1/locations?skip=1')
})

test('old requests are removed in small batches, by one process at a time', async () => {
  const { id, key_id } = await newAccount(service)
  const add = (age: string, name: string) => service.db`
    insert into requests (account_id, key_id, at, request_id, method, path, status, duration_ms)
    select ${id}, ${key_id}, now() - ${age}::interval, ${name} || number, 'GET', '/v1/x', 200, 1 from generate_series(1, 5) number`
  await add('40 days', 'old')
  await add('29 days', 'new')
  const left = async () => (await service.db`select 1 from requests where account_id = ${id}`).length
  await service.db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(7401126904)`
    expect(await removeOldRequests(service.db, 30, 3)).toBe(0)
    expect(await left()).toBe(10)
  })
  expect(await removeOldRequests(service.db, 30, 3)).toBe(3)
  expect(await left()).toBe(7)
  expect(await removeOldRequests(service.db, 30, 1000)).toBe(2)
  expect(await removeOldRequests(service.db, 30, 1000)).toBe(0)
  const rest = await service.db`select request_id from requests where account_id = ${id} order by request_id`
  expect(rest.map(({ request_id }) => String(request_id))).toEqual(['new1', 'new2', 'new3', 'new4', 'new5'])
})

test('with a retention of 0 days nothing is logged', async () => {
  const account = await newAccount(silent)
  expect((await request({ path: '/v1/locations', key: account.key }, silent.baseUrl)).status).toBe(200)
  await request({ path: '/v1/locations?last', key: account.key })
  expect((await untilLogged(account, 1)).map(({ path }) => path)).toEqual(['/v1/locations?last'])
})

test('requests in absolute form and with an encoded path are logged by their route, and move the last use of the key', async () => {
  const account = await newMember()
  const headers: [string, string][] = [['Authorization', `Bearer ${account.key}`]]
  const targets = [
    'http://kim:secret@any.example/v1/locations?take=1',
    '/%76%31/locations',
    '/%761/nowhere',
    'http://a.example/v1/nowhere',
  ]
  const statuses = []
  for (const target of targets) statuses.push((await sendRaw(service.baseUrl, { target, headers })).status)
  expect(statuses).toEqual([200, 200, 404, 404])
  const logged = await untilLogged(account, targets.length)
  expect(logged.map(({ path, status, key_id }) => [path, status, key_id])).toEqual([
    ['/v1/locations?take=1', 200, account.key_id],
    ['/%76%31/locations', 200, account.key_id],
    ['/%761/nowhere', 404, account.key_id],
    ['/v1/nowhere', 404, account.key_id],
  ])
  const [used] = (await account.portal('listOwnKeys')).body
  expect(used?.last_used_at).toBeDefined()
})

test('requests whose client disconnects are logged, on the fast path and in the framework', async () => {
  const account = await newMember()
  const body = JSON.stringify({ reference: 'P-1', product_lines: [line()] })
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.key}\r\n`
  await service.db.begin(async (sql) => {
    // The write waits for the lock of the account, the read for that of the table, until their clients disconnect.
    const [row] = await sql`select pg_backend_pid() as pid from accounts where account_id = ${account.id} for update`
    await sql`lock table tracking in access exclusive mode`
    const sockets = [
      `${head('POST', '/v1/purchaseOrders')}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `${head('GET', '/v1/tracking/none')}\r\n`,
    ].map((text) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => socket.write(text))
      return socket
    })
    await until(async () => {
      const waiting = await service.db`select from pg_stat_activity where ${row?.pid} = any(pg_blocking_pids(pid))`
      return waiting.length >= 2
    })
    for (const socket of sockets) socket.destroy()
    await until(async () => (await loggedOf(account)).length > 0)
  })
  const logged = await untilLogged(account, 2)
  expect(new Set(logged.map(({ method, path, status }) => `${method} ${path} ${status}`))).toEqual(
    new Set(['GET /v1/tracking/none 499', 'POST /v1/purchaseOrders 499']),
  )
})
