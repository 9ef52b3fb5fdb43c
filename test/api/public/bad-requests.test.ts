import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { json, newAccountWithOrder, order, problemIn, refused } from '../../support/bad-request.js'
import { sendBytes, sendRaw } from '../../support/raw-http.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('an overlong identifier in a path is refused', async () => {
  const account = await newAccountWithOrder(service)
  for (const [target, pointer] of [
    [`/v1/purchaseOrders/${'x'.repeat(256)}`, '/reference'],
    [`/v1/shipments/${'x'.repeat(15_000)}`, '/svc_shipment_id'],
    [`/v1/invoices/${'%F0%9F%9A%A2'.repeat(256)}`, '/reference'],
    [`/v1/tracking/e${'%CC%81'.repeat(2000)}`, '/svc_shipment_id'],
    [`/v1/locations/${'1'.repeat(256)}`, '/id'],
    [`/v1/documents?svc_shipment_id=${'x'.repeat(256)}`, '/svc_shipment_id'],
  ] as const) {
    const { errors } = await refused(service, account, { target }, 'invalid_request')
    expect(errors?.map((fault) => fault.pointer)).toEqual([pointer])
  }
})

test('NUL characters in paths and queries are refused', async () => {
  const account = await newAccountWithOrder(service)
  for (const [target, pointer] of [
    ['/v1/purchaseOrders/PO%00', '/reference'],
    ['/v1/shipments/%00', '/svc_shipment_id'],
    ['/v1/locations/1%00', '/id'],
    ['/v1/documents?svc_shipment_id=%00', '/svc_shipment_id'],
    ['/v1/shipments?take=1%00', '/take'],
  ] as const) {
    const { errors } = await refused(service, account, { target }, 'invalid_request')
    expect(errors?.map((fault) => fault.pointer)).toContain(pointer)
  }
})

test.each([
  '/v1/shipments/%zz',
  '/v1/shipments/%',
  '/v1/shipments/%E9',
  '/v1/purchaseOrders/%ED%A0%BD',
  '/v1/shipments?take=%zz',
  '/v1/documents?svc_shipment_id=%E9',
  '/v1/shipments?%zz=1',
  '/nowhere/%zz',
])('invalid percent-encoding is refused: %s', async (target) => {
  await refused(service, await newAccountWithOrder(service), { target }, 'malformed_request')
})

test.each([
  ['text', [['Content-Type', 'text/plain']]],
  ['a form', [['Content-Type', 'application/x-www-form-urlencoded']]],
  ['something that only begins like JSON', [['Content-Type', 'application/jsonlines']]],
  ['no type', []],
  ['an unreadable type', [['Content-Type', '/;=']]],
] satisfies [string, [string, string][]][])('a body sent as %s is refused', async (_, headers) => {
  const account = await newAccountWithOrder(service)
  for (const method of ['POST', 'PATCH']) {
    await refused(
      service,
      account,
      { method, target: '/v1/purchaseOrders', headers, body: order({ reference: 'PO-2' }) },
      'unsupported_media_type',
    )
  }
})

test.each(['gzip', 'br', 'deflate', 'zstd', 'nonsense', 'gzip, gzip'])(
  'a body with the content encoding %s is refused',
  async (encoding) => {
    const account = await newAccountWithOrder(service)
    const body = gzipSync(order({ supplier_id: 'changed' }))
    for (const method of ['POST', 'PATCH']) {
      await refused(
        service,
        account,
        { method, target: '/v1/purchaseOrders', headers: [json, ['Content-Encoding', encoding]], body },
        'unsupported_media_type',
      )
    }
  },
)

test('headers above 16 KiB are refused', async () => {
  const account = await newAccountWithOrder(service)
  await refused(
    service,
    account,
    { target: '/v1/shipments', headers: [['X-Long', 'x'.repeat(20_000)]] },
    'headers_too_large',
  )
  await refused(service, account, { target: `/v1/shipments/${'x'.repeat(20_000)}` }, 'headers_too_large')
})

test('a request with two kinds of body framing is refused', async () => {
  const account = await newAccountWithOrder(service)
  const request = { method: 'POST', target: '/v1/purchaseOrders', body: order({ reference: 'PO-2' }) }
  for (const headers of [
    [json, ['Content-Length', '5'], ['Content-Length', '6']],
    [json, ['Content-Length', '5'], ['Transfer-Encoding', 'chunked']],
    [json, ['Content-Length', 'five']],
  ] as [string, string][][]) {
    await refused(service, account, { ...request, headers }, 'malformed_request')
  }
})

test('a request with two keys is refused, and of two content types the first counts', async () => {
  const account = await newAccountWithOrder(service)
  const other = await newAccount(service)
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${other.key}`],
    ['Authorization', `Bearer ${account.key}`],
  ]
  expect(await sendRaw(service.baseUrl, { target: '/v1/purchaseOrders/PO-1', headers })).toBeRefused(
    'malformed_request',
  )
  await refused(
    service,
    account,
    {
      method: 'POST',
      target: '/v1/purchaseOrders',
      headers: [['Content-Type', 'text/plain'], json],
      body: order({ reference: 'PO-2' }),
    },
    'unsupported_media_type',
  )
})

test.each([
  ['no request at all', 'hello\r\n\r\n'],
  ['an unknown protocol', 'GET / HTTP/9.9\r\n\r\n'],
  ['a NUL byte in the path', 'GET /v1/ship\0ments HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a NUL byte in a header', 'GET /v1/shipments HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n'],
  ['no host', 'GET /v1/shipments HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('bytes that are not a valid HTTP request (%s) get a problem response', async (_, text) => {
  const response = await sendBytes(service.baseUrl, Buffer.from(text))
  problemIn(response, 'malformed_request')
})

test.each([
  ['its address', 'HEAD /v1/shipmentsé HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a header', 'HEAD /v1/shipments HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n'],
])('an invalid HEAD request, by %s, gets a response without a body', async (_, text) => {
  const response = await sendBytes(service.baseUrl, Buffer.from(text))
  expect(response.status).toBe(400)
  expect(response.headers.get('content-length')).toMatch(/^[1-9]/)
  expect(response.text).toBe('')
})
