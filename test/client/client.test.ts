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
async function clientThrough(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
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
