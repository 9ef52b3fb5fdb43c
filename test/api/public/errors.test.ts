import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, expect, inject, test } from 'vitest'
import { Problem, problemMediaType, problemPath } from '../../../src/contract/problem.js'
import { operationNames, operations } from '../../../src/contract/public/operations.js'
import { refusalCodes, refusals } from '../../../src/contract/refusals.js'
import { validatorOf } from '../../../src/contract/validation.js'
import { openDatabase } from '../../../src/database/database.js'
import { migrate } from '../../../src/database/migrate.js'
import { line, newAccount } from '../../support/account.js'
import { administer, withDatabase } from '../../support/database.js'
import { newIdentifiers } from '../../support/every-resource.js'
import { sendRaw } from '../../support/raw-http.js'
import { startService } from '../../support/service.js'

const service = await startService()
const problem = validatorOf(Problem)

async function request(target: string, init: RequestInit = {}, baseUrl = service.baseUrl) {
  const response = await fetch(baseUrl + target, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function bearer(key: string): RequestInit {
  return { headers: { authorization: `Bearer ${key}` } }
}

test('a problem body follows RFC 9457', async () => {
  const { key } = await newAccount(service)
  const result = await request('/v1/shipments?take=0&skip=x', bearer(key))
  expect(result.status).toBe(400)
  expect(result.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(JSON.parse(result.text)).toEqual({
    type: '/errors/invalid_request',
    title: 'The request is not valid',
    status: 400,
    detail: '/skip: must be an integer (and 1 more)',
    code: 'invalid_request',
    request_id: result.headers.get('x-request-id'),
    errors: [
      { pointer: '/skip', detail: 'must be an integer' },
      { pointer: '/take', detail: 'must be 1 or more' },
    ],
  })
})

test('of many faults that a rule finds, the first hundred are named', async () => {
  const { key } = await newAccount(service)
  const product_lines = Array.from({ length: 300 }, () => line({ reference: '1' }))
  const result = await request('/v1/purchaseOrders', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reference: 'P-1', product_lines }),
  })
  expect(result.status).toBe(400)
  const { errors, detail } = JSON.parse(result.text) as Problem
  expect(errors).toHaveLength(100)
  expect(detail).toMatch(/\(and 298 more\)$/)
})

test('what follows a second question mark belongs to the value before it, however the request is read', async () => {
  const { key } = await newAccount(service)
  // The framework reads HEAD.
  for (const method of ['GET', 'HEAD']) {
    const { status } = await request('/v1/shipments?take=1?skip=5', { method, ...bearer(key) })
    expect(status).toBe(400)
  }
})

test.each(refusalCodes)('%s has a readable page at its type URL', async (code) => {
  const { status, headers, text } = await request(problemPath(code))
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('<html lang="en">')
  const words = text.replaceAll(/<style>.*?<\/style>/gs, '').replaceAll(/<[^>]*>/g, '')
  expect(words).toContain(refusals[code].title)
  expect(words).toContain(code)
  expect(words).toContain(String(refusals[code].status))
  expect(words).toContain('What to do')
  expect(text).not.toContain('`')
})

test('the list of error pages links to each of them, and other codes have none', async () => {
  const list = await request(problemPath(''))
  for (const code of refusalCodes) expect(list.text).toContain(`href="${problemPath(code)}"`)
  expect(await request(problemPath('no_such_code'))).toBeRefused('path_not_found')
  expect(await request(problemPath('toString'))).toBeRefused('path_not_found')
})

test.each([
  '/nowhere',
  '/v1',
  '/v1/',
  '/v2/shipments',
  '/v1/shipment',
  '/v1/Shipments',
  '/v1/tracking',
  '/v1/documents/1',
  '/portal/v1',
  '/portal/v1/nowhere',
])('%s is not found, with and without a key', async (target) => {
  const { key } = await newAccount(service)
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect(await request(target, { method })).toBeRefused('path_not_found')
    expect(await request(target, { ...bearer(key), method })).toBeRefused('path_not_found')
  }
})

test.each([...new Set(operationNames.map((name) => operations[name].path as string))])(
  'other methods of %s are refused with its allowed methods',
  async (path) => {
    const own = operationNames.map((name) => operations[name]).filter((operation) => operation.path === path)
    const allowed = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
    const target = path.replaceAll(/\{\w+\}/g, 'a%2Fb')
    for (const method of methods.filter((each) => !allowed.includes(each))) {
      const result = await sendRaw(service.baseUrl, { method, target: `${target}?x=1` })
      if (method === 'HEAD') expect(result).toMatchObject({ status: 405, text: '' })
      else expect(result).toBeRefused('method_not_allowed')
      expect(result.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
    }
  },
)

test.each([
  '/openapi.json',
  '/portal/openapi.json',
  '/metrics',
  '/health/live',
  '/errors/invalid_key',
  '/docs',
  '/docs/js/scalar.js',
  '/documents/x',
])('%s allows only reads', async (target) => {
  const result = await request(target, { method: 'POST' })
  expect(result).toBeRefused('method_not_allowed')
  expect(result.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD'])
})

test('a method that is not allowed is refused whatever its body', async () => {
  for (const headers of [[], [['Content-Type', 'text/plain']], [['Content-Type', 'application/json']]]) {
    const result = await sendRaw(service.baseUrl, {
      method: 'POST',
      target: '/v1/shipments',
      headers: headers as [string, string][],
      body: 'hello',
    })
    expect(result).toBeRefused('method_not_allowed')
  }
})

test.each([
  ['GET', '/', 200],
  ['GET', '/docs/', 200],
  ['GET', '/docs', 301],
  ['GET', '/docs/nowhere', 404],
  ['GET', '/openapi.json', 200],
  ['GET', '/metrics', 200],
  ['GET', '/health/live', 200],
  ['GET', '/health/ready', 200],
  ['GET', '/errors/invalid_key', 200],
  ['GET', '/nowhere', 404],
  ['GET', '/nowhere?%zz', 404],
  ['GET', '/%zz', 400],
  ['GET', '/v1/shipments?%zz', 400],
  ['GET', '/v1/shipments', 401],
  ['GET', '/documents/nothing', 403],
  ['DELETE', '/v1/shipments', 405],
  ['POST', '/v1/purchaseOrders', 401],
  ['BREW', '/v1/shipments', 400],
] as const)('the response to %s %s has a unique request id', async (method, target, status) => {
  const ids = []
  for (let count = 0; count < 2; count += 1) {
    const result = await sendRaw(service.baseUrl, { method, target })
    expect(result.status).toBe(status)
    ids.push(result.headers.get('x-request-id'))
    if (status >= 400) {
      const body = JSON.parse(result.text) as Problem
      expect(problem.faultsIn(body)).toEqual([])
      expect(body.request_id).toBe(ids.at(-1))
      expect(result.headers.get('content-type')).toContain(problemMediaType)
    }
  }
  for (const id of ids) expect(id).toMatch(/^req_\w{10,}$/)
  expect(new Set(ids).size).toBe(2)
})

test('a request id sent by a client is ignored', async () => {
  const result = await request('/health/live', { headers: { 'x-request-id': 'req_mine', 'request-id': 'req_mine' } })
  expect(result.headers.get('x-request-id')).not.toBe('req_mine')
})

test('an unknown expectation is ignored', async () => {
  const result = await sendRaw(service.baseUrl, { target: '/v1/shipments', headers: [['Expect', 'the-unexpected']] })
  expect(result).toBeRefused('missing_key')
  expect(result.headers.get('x-request-id')).toMatch(/^req_/)
})

function withTypo(key: string): string {
  return key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11)
}

/** A connection to the database that can be cut. */
async function databaseProxy() {
  const address = new URL(inject('databaseUrl'))
  const folder = address.searchParams.get('host')
  const sockets = new Set<Socket>()
  const behind = () =>
    folder === null ? connect(Number(address.port || 5432), address.hostname) : connect(`${folder}/.s.PGSQL.5432`)
  const server: Server = createServer((front) => {
    const back = behind()
    for (const socket of [front, back]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        front.destroy()
        back.destroy()
      })
    }
    front.pipe(back).pipe(front)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as { port: number }
  afterAll(() => shut())
  address.searchParams.delete('host')
  address.hostname = '127.0.0.1'
  address.port = String(port)

  async function shut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { url: address.href, shut, open: () => listen(port) }
}

test('while the database is unreachable every operation is refused with Retry-After, and works again afterwards', async () => {
  const door = await databaseProxy()
  const cut = await startService({ db: openDatabase({ url: door.url }, { connections: 2 }) })
  const { key } = await newAccount(service)
  expect((await request('/v1/locations', bearer(key), cut.baseUrl)).status).toBe(200)

  await door.shut()
  const body = JSON.stringify({ reference: 'P', product_lines: [line()] })
  for (const name of operationNames) {
    const { method, path } = operations[name]
    const init = {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body }),
    }
    const result = await request(path.replaceAll(/\{\w+\}/g, '1'), init, cut.baseUrl)
    expect(result).toBeRefused('service_unavailable')
    expect(Number(result.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(result.headers.get('x-request-id')).toMatch(/^req_/)
    expect(result.text).not.toContain('ECONN')
  }
  // A mistyped key is recognized by its checksum, without a query.
  expect(await request('/v1/locations', bearer(`${key.slice(0, -1)}!`), cut.baseUrl)).toBeRefused('invalid_key')
  expect(await request('/v1/locations', bearer(withTypo(key)), cut.baseUrl)).toBeRefused('invalid_key')
  expect(await request('/health/ready', {}, cut.baseUrl)).toBeRefused('service_unavailable')
  expect((await request('/health/live', {}, cut.baseUrl)).status).toBe(200)

  await door.open()
  const status = async () => (await request('/v1/locations', bearer(key), cut.baseUrl)).status
  await expect.poll(status).toBe(200)
  expect((await request('/v1/purchaseOrders', bearer(key), cut.baseUrl)).text).toBe('[]')
})

test('an internal error reveals no internals in its response', async () => {
  const name = `waybill_broken_${newIdentifiers().document.replaceAll('-', '')}`
  await administer(inject('serverUrl'), `create database ${name}`)
  afterAll(() => administer(inject('serverUrl'), `drop database if exists ${name} with (force)`))
  const db = openDatabase({ url: withDatabase(inject('serverUrl'), name) }, { connections: 2 })
  await migrate(db)
  const broken = await startService({ db })
  const { key } = await newAccount(broken)
  await db`drop table locations`
  const result = await request('/v1/locations', bearer(key), broken.baseUrl)
  expect(result).toBeRefused('internal_error')
  expect(result.text).not.toMatch(/locations|relation|select|42P01|node_modules| at /)
  expect(problem.faultsIn(JSON.parse(result.text))).toEqual([])
})
