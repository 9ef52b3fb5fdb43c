import { connect } from 'node:net'
import { expect, inject, test } from 'vitest'
import { line, newAccount } from '../support/account.js'
import { openChanges } from '../support/change-stream.js'
import { withinOneMinute } from '../support/one-minute.js'
import { newOperator } from '../support/operator.js'
import { asPerson, newPerson } from '../support/person.js'
import { startServing } from '../support/program.js'
import { sendBytes, sendRaw } from '../support/raw-http.js'
import { startService } from '../support/service.js'

/** Every request logs one line, whether it is served, refused or aborted. */

// Used to create accounts; the program is what is tested.
const service = await startService()
const serving = await startServing({ env: { DATABASE_URL: inject('databaseUrl'), WAYBILL_RATE_LIMIT: '8' } })

type Line = {
  level: number
  time: number
  msg: string
  request_id?: string
  account?: string
  key_id?: string
  operator?: string
  person?: string
  method?: string
  route?: string
  status?: number
  code?: string
  duration_ms?: number
}

function lines(): Line[] {
  const whole = serving.stdout().split('\n').slice(0, -1)
  return whole.map((text) => JSON.parse(text) as Line)
}

/** The log line of a request, once it is there. */
async function lineOf(requestId: string | null): Promise<Line> {
  await expect.poll(() => lines().filter(({ request_id }) => request_id === requestId)).toHaveLength(1)
  return lines().find(({ request_id }) => request_id === requestId) as Line
}

type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string }

async function send(path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}) {
  const response = await fetch(serving.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
  await response.arrayBuffer()
  const reported = await lineOf(response.headers.get('x-request-id'))
  expect(reported).toMatchObject({ level: 30, method, status: response.status, msg: 'request completed' })
  expect(reported.time).toBeGreaterThan(Date.now() - 60_000)
  expect(reported.duration_ms).toBeGreaterThanOrEqual(0)
  return { status: response.status, etag: response.headers.get('etag') ?? '', reported }
}

test('reads, writes, 304 responses and refusals log one line with the caller and the operation', async () => {
  const { key, key_id, slug, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1' } })
  const authorization = `Bearer ${key}`
  const json = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ reference: 'P-1', product_lines: [line()] })

  const read = await send('/v1/shipments/S-1', { headers: { authorization } })
  expect(read.reported).toMatchObject({ account: slug, key_id, route: '/v1/shipments/:svc_shipment_id', status: 200 })
  const again = await send('/v1/shipments/S-1', { headers: { authorization, 'if-none-match': read.etag } })
  expect(again.reported).toMatchObject({ account: slug, route: '/v1/shipments/:svc_shipment_id', status: 304 })
  const written = await send('/v1/purchaseOrders', { method: 'POST', headers: json, body })
  expect(written.reported).toMatchObject({ account: slug, key_id, route: '/v1/purchaseOrders', status: 201 })
  expect(written.reported).not.toHaveProperty('code')
  const twice = await send('/v1/purchaseOrders', { method: 'POST', headers: json, body })
  expect(twice.reported).toMatchObject({ account: slug, status: 409, code: 'purchase_order_exists' })
  const head = await send('/v1/shipments?take=1', { method: 'HEAD', headers: { authorization } })
  expect(head.reported).toMatchObject({ account: slug, route: '/v1/shipments', status: 200 })
  const missing = await send('/v1/shipments/none', { headers: { authorization } })
  expect(missing.reported).toMatchObject({ account: slug, key_id, status: 404, code: 'shipment_not_found' })
  const nowhere = await send('/v1/nowhere', { headers: { authorization } })
  expect(nowhere.reported).toMatchObject({ account: slug, key_id, status: 404, code: 'path_not_found' })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const accept = 'application/json, text/event-stream'
  const asAssistant = await send('/mcp', { method: 'POST', headers: { ...json, accept }, body: ping })
  expect(asAssistant.reported).toMatchObject({ account: slug, key_id, route: '/mcp', status: 200 })
  const once = { ...json, 'idempotency-key': 'a' }
  const replayed = await send('/v1/purchaseOrders', { method: 'POST', headers: once, body })
  expect(replayed.reported).toMatchObject({ account: slug, status: 409, code: 'purchase_order_exists' })
})

test('a request beyond the rate limit logs one line with the caller and the code', async () => {
  await withinOneMinute(async () => {
    const { key, key_id, slug } = await newAccount(service)
    const list = () => send('/v1/locations', { headers: { authorization: `Bearer ${key}` } })
    for (let each = 0; each < 8; each += 1) expect((await list()).status).toBe(200)
    const { reported } = await list()
    expect(reported).toMatchObject({ account: slug, key_id, route: '/v1/locations', status: 429, code: 'rate_limited' })
  })
})

test('an unauthenticated request logs a line without an account and without client input', async () => {
  const madeUp = await send('/v1/locations', { headers: { authorization: 'Bearer wb_made_up' } })
  expect(madeUp.reported).toMatchObject({ route: '/v1/locations', status: 401, code: 'invalid_key' })
  expect(madeUp.reported).not.toHaveProperty('account')
  expect((await send('/v1/secret-place?with=a-word')).reported).toMatchObject({ status: 404, code: 'path_not_found' })
  expect((await send('/v1/locations', { method: 'DELETE' })).reported).toMatchObject({ code: 'method_not_allowed' })
  expect((await send('/documents/a-token-of-some-kind')).reported).toMatchObject({ status: 403, code: 'invalid_link' })
  for (const path of ['/', '/docs/', '/docs/nowhere', '/openapi.json', '/errors/invalid_key']) await send(path)
  for (const words of ['wb_made_up', 'secret-place', 'a-word', 'a-token-of-some-kind']) {
    expect(serving.stdout()).not.toContain(words)
  }
})

test('log lines identify operators and people by their ids', async () => {
  const account = await newAccount(service)
  const operator = await newOperator(service)
  const person = await newPerson(service, account)
  const authorization = `Bearer ${operator.key}`
  const path = `/ops/v1/accounts/${account.slug}/locations`
  const { reported } = await send(path, { headers: { authorization } })
  expect(reported).toMatchObject({ account: account.slug, operator: operator.operator_id })
  expect(reported).toMatchObject({ route: '/ops/v1/accounts/:account/locations', status: 200 })
  const { headers } = asPerson(serving, person.token)
  const session = await send('/portal/v1/session', { headers })
  expect(session.reported).toMatchObject({ account: account.slug, person: person.person_id, status: 200 })
})

test('a malformed or unroutable request logs a line, too', async () => {
  const nonsense = await sendBytes(serving.baseUrl, Buffer.from('NONSENSE\r\n\r\n'))
  expect(await lineOf(nonsense.headers.get('x-request-id'))).toMatchObject({ status: 400, code: 'malformed_request' })
  const large = await sendRaw(serving.baseUrl, { target: '/', headers: [['x-long', 'a'.repeat(20_000)]] })
  expect(await lineOf(large.headers.get('x-request-id'))).toMatchObject({ status: 431, code: 'headers_too_large' })
  const broken = await sendRaw(serving.baseUrl, { target: '/v1/shipments/%zz' })
  expect(await lineOf(broken.headers.get('x-request-id'))).toMatchObject({ status: 400, code: 'malformed_request' })
})

test('a client that disconnects before the response logs an aborted request', async () => {
  const { key, slug, id } = await newAccount(service)
  const { hostname, port } = new URL(serving.baseUrl)
  const body = JSON.stringify({ reference: 'P-1', product_lines: [line()] })
  const head = [
    'POST /v1/purchaseOrders HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Idempotency-Key: left',
    `Content-Length: ${body.length}`,
  ].join('\r\n')
  await service.db.begin(async (sql) => {
    // The request waits for the account lock until its client disconnects.
    const [row] = await sql`select pg_backend_pid() as pid from accounts where account_id = ${id} for update`
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n${body}`))
    await expect
      .poll(() => service.db`select from pg_stat_activity where ${row?.pid} = any(pg_blocking_pids(pid))`)
      .toHaveLength(1)
    socket.destroy()
    await expect
      .poll(() => lines().filter(({ msg, account }) => msg === 'request aborted' && account === slug))
      .toHaveLength(1)
  })
  const reported = lines().find(({ msg, account }) => msg === 'request aborted' && account === slug)
  expect(reported).toMatchObject({ level: 30, method: 'POST', route: '/v1/purchaseOrders', status: 499 })
  expect(reported?.request_id).toMatch(/^req_\w+$/)
  expect(reported?.duration_ms).toBeGreaterThan(0)
})

test('a client that disconnects during a long response logs an aborted request with its status', async () => {
  const { key, slug, forwarder } = await newAccount(service)
  const text = Array.from({ length: 150 }, () => ({ description: 'x'.repeat(100_000) }))
  await forwarder.imports({ kind: 'invoice', data: { reference: 'I-1', lines: text } })
  const { hostname, port } = new URL(serving.baseUrl)
  const request = `GET /v1/invoices?take=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const socket = connect(Number(port), hostname, () => socket.write(request))
  await new Promise((resolve) => socket.once('readable', resolve))
  socket.destroy()
  await expect.poll(() => lines().filter(({ account }) => account === slug)).toHaveLength(1)
  expect(lines().find(({ account }) => account === slug)).toMatchObject({
    status: 200,
    route: '/v1/invoices',
    msg: 'request aborted',
  })
})

test('an event stream logs a line with its duration when it ends', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const stream = await openChanges(serving, asPerson(serving, person.token))
  expect(lines().filter(({ person: who }) => who === person.person_id)).toEqual([])
  stream.cut()
  const found = () => lines().filter(({ person: who }) => who === person.person_id)
  await expect.poll(found).toHaveLength(1)
  expect(found()[0]).toMatchObject({
    route: '/portal/v1/changes',
    status: 200,
    msg: 'request completed',
    account: account.slug,
  })
})

test('no log line is lost at shutdown, and every line has its fields', async () => {
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => fetch(`${serving.baseUrl}/v1/locations`).then(({ headers }) => headers)),
  )
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  const reported = new Map(lines().map((each) => [each.request_id, each]))
  for (const headers of responses)
    expect(reported.get(headers.get('x-request-id') ?? '')).toMatchObject({ status: 401 })
  for (const each of lines().filter(({ method }) => method !== undefined)) {
    expect(each.request_id).toMatch(/^req_\w+$/)
    expect(each.status).toBeGreaterThanOrEqual(200)
    expect(each.duration_ms).toBeGreaterThanOrEqual(0)
    expect(['request completed', 'request aborted']).toContain(each.msg)
  }
})
