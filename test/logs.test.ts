import { connect } from 'node:net'
import { expect, inject, test } from 'vitest'
import { line, newAccount } from './support/account.js'
import { openChanges } from './support/change-stream.js'
import { newOperator } from './support/operator.js'
import { asPerson, newPerson } from './support/person.js'
import { startServing } from './support/program.js'
import { sendBytes, sendRaw } from './support/raw-http.js'
import { startService } from './support/service.js'

/** Every request leaves one line, whichever way it was answered, refused or given up. */

// Accounts are made through it; what is tested is the program.
const service = await startService()
const serving = await startServing({ env: { DATABASE_URL: inject('databaseUrl'), WAYBILL_RATE_LIMIT: '8' } })

type Line = {
  level: number
  time: number
  msg: string
  request_id?: string
  account?: string
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

/** The one line of a request, when it is there. */
async function lineOf(requestId: string | null): Promise<Line> {
  await expect.poll(() => lines().filter(({ request_id }) => request_id === requestId)).toHaveLength(1)
  return lines().find(({ request_id }) => request_id === requestId) as Line
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string }

async function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const response = await fetch(serving.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
  await response.arrayBuffer()
  const told = await lineOf(response.headers.get('x-request-id'))
  expect(told).toMatchObject({ level: 30, method, status: response.status, msg: 'answered' })
  expect(told.time).toBeGreaterThan(Date.now() - 60_000)
  expect(told.duration_ms).toBeGreaterThanOrEqual(0)
  return { status: response.status, etag: response.headers.get('etag') ?? '', told }
}

test('plain reads and writes, answers that are not modified, and refusals leave a line with who asked and what for', async () => {
  const { key, slug, forwarder } = await newAccount(service)
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1' } })
  const authorization = `Bearer ${key}`
  const json = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ reference: 'P-1', product_lines: [line()] })

  const read = await ask('/v1/shipments/S-1', { headers: { authorization } })
  expect(read.told).toMatchObject({ account: slug, route: '/v1/shipments/:svc_shipment_id', status: 200 })
  const again = await ask('/v1/shipments/S-1', { headers: { authorization, 'if-none-match': read.etag } })
  expect(again.told).toMatchObject({ account: slug, route: '/v1/shipments/:svc_shipment_id', status: 304 })
  const written = await ask('/v1/purchaseOrders', { method: 'POST', headers: json, body })
  expect(written.told).toMatchObject({ account: slug, route: '/v1/purchaseOrders', status: 201 })
  expect(written.told).not.toHaveProperty('code')
  const twice = await ask('/v1/purchaseOrders', { method: 'POST', headers: json, body })
  expect(twice.told).toMatchObject({ account: slug, status: 409, code: 'purchase_order_exists' })
  const head = await ask('/v1/shipments?take=1', { method: 'HEAD', headers: { authorization } })
  expect(head.told).toMatchObject({ account: slug, route: '/v1/shipments', status: 200 })
  const missing = await ask('/v1/shipments/none', { headers: { authorization } })
  expect(missing.told).toMatchObject({ account: slug, status: 404, code: 'shipment_not_found' })
  const once = { ...json, 'idempotency-key': 'a' }
  const replayed = await ask('/v1/purchaseOrders', { method: 'POST', headers: once, body })
  expect(replayed.told).toMatchObject({ account: slug, status: 409, code: 'purchase_order_exists' })
  await ask('/v1/locations', { headers: { authorization } })
  const limited = await ask('/v1/locations', { headers: { authorization } })
  expect(limited.told).toMatchObject({ account: slug, route: '/v1/locations', status: 429, code: 'rate_limited' })
})

test('strangers leave a line without an account, and what they made up is not in it', async () => {
  const madeUp = await ask('/v1/locations', { headers: { authorization: 'Bearer wb_made_up' } })
  expect(madeUp.told).toMatchObject({ route: '/v1/locations', status: 401, code: 'invalid_key' })
  expect(madeUp.told).not.toHaveProperty('account')
  expect((await ask('/v1/secret-place?with=a-word')).told).toMatchObject({ status: 404, code: 'path_not_found' })
  expect((await ask('/v1/locations', { method: 'DELETE' })).told).toMatchObject({ code: 'method_not_allowed' })
  expect((await ask('/documents/a-token-of-some-kind')).told).toMatchObject({ status: 403, code: 'invalid_link' })
  for (const path of ['/', '/docs/', '/docs/nowhere', '/openapi.json', '/errors/invalid_key']) await ask(path)
  for (const words of ['wb_made_up', 'secret-place', 'a-word', 'a-token-of-some-kind']) {
    expect(serving.stdout()).not.toContain(words)
  }
})

test('operators and people are named by their identifiers', async () => {
  const account = await newAccount(service)
  const operator = await newOperator(service)
  const person = await newPerson(service, account)
  const authorization = `Bearer ${operator.key}`
  const path = `/ops/v1/accounts/${account.slug}/locations`
  const { told } = await ask(path, { headers: { authorization } })
  expect(told).toMatchObject({ account: account.slug, operator: operator.operator_id })
  expect(told).toMatchObject({ route: '/ops/v1/accounts/:account/locations', status: 200 })
  const { headers } = asPerson(serving, person.token)
  const session = await ask('/portal/v1/session', { headers })
  expect(session.told).toMatchObject({ account: account.slug, person: person.person_id, status: 200 })
})

test('what is no request, or cannot be routed, leaves a line too', async () => {
  const nonsense = await sendBytes(serving.baseUrl, Buffer.from('NONSENSE\r\n\r\n'))
  expect(await lineOf(nonsense.headers.get('x-request-id'))).toMatchObject({ status: 400, code: 'malformed_request' })
  const large = await sendRaw(serving.baseUrl, { target: '/', headers: [['x-long', 'a'.repeat(20_000)]] })
  expect(await lineOf(large.headers.get('x-request-id'))).toMatchObject({ status: 431, code: 'headers_too_large' })
  const broken = await sendRaw(serving.baseUrl, { target: '/v1/shipments/%zz' })
  expect(await lineOf(broken.headers.get('x-request-id'))).toMatchObject({ status: 400, code: 'malformed_request' })
})

test('a client that leaves before the answer leaves a line that says so', async () => {
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
    // It waits for the account, and its client does not.
    const [row] = await sql`select pg_backend_pid() as pid from accounts where account_id = ${id} for update`
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n${body}`))
    await expect
      .poll(() => service.db`select from pg_stat_activity where ${row?.pid} = any(pg_blocking_pids(pid))`)
      .toHaveLength(1)
    socket.destroy()
    await expect.poll(() => lines().filter(({ msg, account }) => msg === 'aborted' && account === slug)).toHaveLength(1)
  })
  const told = lines().find(({ msg, account }) => msg === 'aborted' && account === slug)
  expect(told).toMatchObject({ level: 30, method: 'POST', route: '/v1/purchaseOrders', status: 499 })
  expect(told?.request_id).toMatch(/^req_\w+$/)
  expect(told?.duration_ms).toBeGreaterThan(0)
})

test('a client that leaves in the middle of a long answer leaves a line with its status', async () => {
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
    msg: 'aborted',
  })
})

test('a stream of changes leaves a line when it ends, with how long it was listened to', async () => {
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const stream = await openChanges(serving, asPerson(serving, person.token))
  expect(lines().filter(({ person: who }) => who === person.person_id)).toEqual([])
  stream.cut()
  const found = () => lines().filter(({ person: who }) => who === person.person_id)
  await expect.poll(found).toHaveLength(1)
  expect(found()[0]).toMatchObject({ route: '/portal/v1/changes', status: 200, msg: 'answered', account: account.slug })
})

test('no line is lost when the service ends, and every line has what belongs to it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => fetch(`${serving.baseUrl}/v1/locations`).then(({ headers }) => headers)),
  )
  serving.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  const told = new Map(lines().map((each) => [each.request_id, each]))
  for (const headers of answers) expect(told.get(headers.get('x-request-id') ?? '')).toMatchObject({ status: 401 })
  for (const each of lines().filter(({ method }) => method !== undefined)) {
    expect(each.request_id).toMatch(/^req_\w+$/)
    expect(each.status).toBeGreaterThanOrEqual(200)
    expect(each.duration_ms).toBeGreaterThanOrEqual(0)
    expect(['answered', 'aborted']).toContain(each.msg)
  }
})
