import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { WaybillError } from '../../src/client/response.js'
import { line, newAccount } from '../support/account.js'
import { startService } from '../support/service.js'

/** The typed client of the public interface, as a customer's program uses it. */

const service = await startService()

async function newClient() {
  const { key, forwarder, baseUrl } = await newAccount(service)
  return { waybill: createClient({ baseUrl, key }), forwarder, key }
}

/** A client behind a proxy. */
async function clientThrough(listener: RequestListener, options: { retries?: number } = {}) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options })
}

async function failureOf(call: Promise<unknown>): Promise<WaybillError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WaybillError)
  return error as WaybillError
}

test('a read returns its data and ETag, and with the ETag nothing while the data is unchanged', async () => {
  const { waybill, forwarder } = await newClient()
  await forwarder.imports({ kind: 'location', data: { id: 1, city: 'Lyon' } })
  const first = await waybill.listLocations()
  // Without `ifNoneMatch` the result has data, for the compiler as well.
  expect(first.data.map(({ city }) => city)).toEqual(['Lyon'])
  expect(first).toMatchObject({ notModified: false, requestId: expect.stringMatching(/^req_/) as string })
  expect(first.etag).toMatch(/"/)

  const second = await waybill.listLocations({ ifNoneMatch: first.etag })
  expect(second).toEqual({ data: undefined, notModified: true, etag: first.etag, requestId: second.requestId })
  // @ts-expect-error: with `ifNoneMatch` the data may be missing.
  expect(() => second.data.length).toThrow(TypeError)

  await forwarder.imports({ kind: 'location', data: { id: 2 } })
  const third = await waybill.listLocations({ ifNoneMatch: first.etag })
  expect(third.notModified).toBe(false)
  // `notModified` narrows the type.
  if (!third.notModified) expect(third.data).toHaveLength(2)
})

test('a refusal has its status, code, faults and request id', async () => {
  const { waybill } = await newClient()
  const unknown = await failureOf(waybill.getShipment({ params: { svc_shipment_id: 'none' } }))
  expect(unknown).toMatchObject({ status: 404, code: 'shipment_not_found', errors: [], retryAfter: undefined })
  expect(unknown.message).toBe(`404 shipment_not_found: ${unknown.detail}`)
  expect(unknown.requestId).toMatch(/^req_/)
  expect(unknown.title).toBeTruthy()
  const invalid = await failureOf(waybill.createPurchaseOrder({ body: { reference: '', product_lines: [] } }))
  expect(invalid).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(invalid.errors.map(({ pointer }) => pointer)).toContain('/reference')
})

test('a write repeated with its idempotency key takes effect once', async () => {
  const { waybill } = await newClient()
  const call = { body: { reference: 'PO-1', product_lines: [line()] }, idempotencyKey: 'order-1' }
  const first = await waybill.createPurchaseOrder(call)
  const again = await waybill.createPurchaseOrder(call)
  expect([first.data, again.data]).toEqual([{ reference: 'PO-1' }, { reference: 'PO-1' }])
  expect((await waybill.listPurchaseOrders()).data).toHaveLength(1)
  const other = { ...call, body: { ...call.body, reference: 'PO-2' } }
  expect(await failureOf(waybill.createPurchaseOrder(other))).toMatchObject({ code: 'idempotency_key_reused' })
})

test('an HTML page of a proxy is an error with its status and an excerpt', async () => {
  const page = `<html>\n<body>\n  <h1>502 Bad Gateway</h1>\n${'x'.repeat(1000)}</body></html>`
  const waybill = await clientThrough((_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '7' }).end(page)
  })
  const error = await failureOf(waybill.listShipments())
  expect(error).toMatchObject({ status: 502, code: undefined, requestId: undefined, errors: [], retryAfter: 7 })
  expect(error.detail).toMatch(/^<html> <body> <h1>502 Bad Gateway<\/h1> x+$/)
  expect(error.detail?.length).toBe(200)
  expect(error.message).toBe(`502, not from Waybill: ${error.detail}`)
})

test.each([
  ['a page where data is expected', 200, 'text/html', '<p>Please sign in to the network</p>'],
  ['an empty response instead of data', 200, 'application/json', ''],
  ['JSON of a gateway', 403, 'application/json', '{"message":"Forbidden"}'],
  ['null', 500, 'application/json', 'null'],
])('%s is an error with its status', async (_what, status, type, body) => {
  const waybill = await clientThrough((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  expect(await failureOf(waybill.listShipments())).toMatchObject({ status, code: undefined, detail: body })
})

test('an unreachable service and an incomplete response are errors with their cause', async () => {
  const away = await failureOf(createClient({ baseUrl: 'http://127.0.0.1:1' }).listShipments())
  expect(away).toMatchObject({ status: undefined, code: undefined, detail: undefined })
  expect(away.cause).toBeInstanceOf(Error)
  expect(away.message).toMatch(/^no response: fetch failed \(.*\)$/)
  const waybill = await clientThrough((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('[{"svc_')
    setTimeout(() => response.destroy(), 50)
  })
  const broken = await failureOf(waybill.listShipments())
  expect(broken).toMatchObject({ status: 200, code: undefined })
  expect(broken.cause).toBeInstanceOf(Error)
})

test("a call aborted by its caller rejects with the caller's reason", async () => {
  const waybill = await clientThrough(() => {})
  const controller = new AbortController()
  const reason = new Error('no longer needed')
  const call = waybill.listShipments({ signal: controller.signal })
  controller.abort(reason)
  await expect(call).rejects.toBe(reason)
})

test('each item of a list is returned, page by page, and none of an account without shipments', async () => {
  const { waybill, forwarder } = await newClient()
  for await (const _ of waybill.listShipments.each()) expect.fail('there are no shipments')
  await forwarder.imports(...[1, 2, 3, 4, 5].map((id) => ({ kind: 'location' as const, data: { id } })))
  const found: number[] = []
  for await (const { id } of waybill.listLocations.each({ query: { skip: 1, take: 2 } })) found.push(id)
  expect(found).toEqual([2, 3, 4, 5])
  // @ts-expect-error: one resource has no pages.
  expect(waybill.getLocation.each).toBeUndefined()
})

test('a request that should be tried later is sent again, a write with the same idempotency key', async () => {
  // As in browsers on plain HTTP.
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(crypto, 'randomUUID'))
  const keys: unknown[] = []
  const waybill = await clientThrough(
    (request, response) => {
      keys.push(request.headers['idempotency-key'])
      request.resume()
      if (keys.length === 1) request.socket.destroy()
      else if (keys.length === 2) response.writeHead(503, { 'retry-after': '0' }).end()
      else response.writeHead(201, { 'content-type': 'application/json' }).end('{"reference":"PO-1"}')
    },
    { retries: 2 },
  )
  const { data } = await waybill.createPurchaseOrder({ body: { reference: 'PO-1', product_lines: [line()] } })
  expect(data.reference).toBe('PO-1')
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
})

test('retries end after their number, at a refusal, at a long wait and when the caller aborts', async () => {
  let requests = 0
  let respond = { status: 503, after: '0' }
  const waybill = await clientThrough(
    (_, response) => {
      requests += 1
      response.writeHead(respond.status, { 'retry-after': respond.after }).end()
    },
    { retries: 1 },
  )
  expect((await failureOf(waybill.listLocations())).status).toBe(503)
  expect(requests).toBe(2)
  respond = { status: 404, after: '0' }
  expect((await failureOf(waybill.listLocations())).status).toBe(404)
  respond = { status: 429, after: '60' }
  expect((await failureOf(waybill.listLocations())).retryAfter).toBe(60)
  expect(requests).toBe(4)
  respond = { status: 503, after: '20' }
  await expect(waybill.listLocations({ signal: AbortSignal.timeout(50) })).rejects.toThrow('aborted')
})

test('the feed continues from its cursor, without a gap, through failures of the connection', async () => {
  const { waybill, forwarder, key } = await newClient()
  const locations = (first: number, last: number) =>
    forwarder.imports(
      ...Array.from({ length: last - first + 1 }, (_, at) => ({
        kind: 'location' as const,
        data: { id: first + at },
      })),
    )
  await locations(1, 5)
  const query = { types: 'location.created', limit: 2 }
  const seen: string[] = []
  const ended = waybill.listEvents.each({ query })
  for await (const { object } of ended) seen.push(object.id)
  expect(seen).toEqual(['1', '2', '3', '4', '5'])
  const afterThree = waybill.listEvents.each({ query })
  for await (const { object } of afterThree) if (object.id === '3') break
  // The third is the first of its page, which comes again.
  const again: string[] = []
  for await (const { object } of waybill.listEvents.each({ query: { ...query, after: afterThree.cursor as string } })) {
    again.push(object.id)
  }
  expect(again).toEqual(['3', '4', '5'])

  await locations(6, 8)
  let requests = 0
  const unsteady = await clientThrough((request, response) => {
    requests += 1
    if (requests === 1) return void response.socket?.destroy()
    if (requests === 2) return void response.writeHead(502).end()
    void fetch(`${service.baseUrl}${request.url}`, { headers: { authorization: `Bearer ${key}` } }).then(
      async (answer) => void response.writeHead(answer.status).end(await answer.text()),
    )
  })
  const stop = new AbortController()
  const live: string[] = []
  const feed = unsteady.listEvents.each({
    query: { ...query, after: ended.cursor as string, wait: 30 },
    signal: stop.signal,
  })
  const reading = (async () => {
    for await (const { object } of feed) {
      live.push(object.id)
      if (live.length === 3) await locations(9, 9)
      if (live.length === 4) stop.abort()
    }
  })()
  await expect(reading).rejects.toThrow('aborted')
  expect(live).toEqual(['6', '7', '8', '9'])
  // A cursor that is refused is not tried again.
  const refused = waybill.listEvents.each({ query: { after: 'none', wait: 30 } })
  expect(await failureOf(refused.next())).toMatchObject({ code: 'cursor_expired' })
})
