import { expect, test } from 'vitest'
import { line, newAccount } from '../support/account.js'
import { newPerson } from '../support/person.js'
import { sendRaw } from '../support/raw-http.js'
import { startService } from '../support/service.js'

/** The size of what a request makes the service look at. `hostile-requests.test.ts` measures that others do not wait. */

const service = await startService()
const kibibyte = 1024

async function post(path: string, body: unknown, headers: [string, string][] = []) {
  return sendRaw(service.baseUrl, {
    method: 'POST',
    target: path,
    headers: [['Content-Type', 'application/json'], ...headers],
    body: JSON.stringify(body),
  })
}

test.each([
  '/portal/v1/session',
  '/portal/v1/session/demo',
  '/portal/v1/password-resets',
  '/portal/v1/links',
  '/portal/v1/links/use',
])('anyone may send at most 16 KiB to %s, however it is framed', async (path) => {
  const body = { email: 'x'.repeat(16 * kibibyte) }
  expect(await post(path, body)).toBeRefused('payload_too_large')
  const text = JSON.stringify(body)
  const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['Transfer-Encoding', 'chunked'],
  ]
  expect(await sendRaw(service.baseUrl, { method: 'POST', target: path, headers, body: chunked })).toBeRefused(
    'payload_too_large',
  )
  expect((await post(path, { email: 'x'.repeat(15 * kibibyte) })).status).not.toBe(413)
})

test('a signed-in person may send more', async () => {
  const { headers } = await newPerson(service, await newAccount(service))
  const view = { page: 'shipments', name: 'x'.repeat(100), query: 'x'.repeat(20 * kibibyte) }
  expect(await post('/portal/v1/views', view, Object.entries(headers))).toBeRefused('invalid_request')
})

test('the first hundred errors are listed, in the order of the body', async () => {
  const { call } = await newAccount(service)
  const lines = Array.from({ length: 5000 }, (_, index) => (index % 2 ? line() : 1))
  const { problem } = await call('createPurchaseOrder', { body: { reference: 'P', product_lines: lines } as never })
  expect(problem.errors).toHaveLength(100)
  expect(problem.errors?.at(-1)).toEqual({ pointer: '/product_lines/198', detail: 'must be an object' })
})

test('an error at the end of a long array is found, with its place', async () => {
  const { call } = await newAccount(service)
  const lines = Array.from({ length: 5000 }, () => line())
  const body = { reference: 'P', product_lines: [...lines, { ...line(), surprise: 1 }] }
  const { problem } = await call('createPurchaseOrder', { body })
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/product_lines/5000/surprise'])
})

test('the entries of an array that is too long are not looked at', async () => {
  const { call } = await newAccount(service)
  const body = { reference: 'P', product_lines: [line()], custom_parameters: Array.from({ length: 7 }, () => 1) }
  const { problem } = await call('createPurchaseOrder', { body: body as never })
  expect(problem.errors).toEqual([{ pointer: '/custom_parameters', detail: 'must have at most 6 entries' }])
})

test('a body with more than 100,000 values, or an object with more than 1,000 fields, is refused before it is parsed', async () => {
  const { key } = await newAccount(service)
  const authorization: [string, string] = ['Authorization', `Bearer ${key}`]
  const send = (body: unknown) => post('/v1/purchaseOrders', body, [authorization])
  // Quotes, backslashes and brackets within texts do not count.
  const text = '",{[\\'.repeat(20_000)
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, text[0]]))
  expect(await send(Array.from({ length: 100_001 }, () => 1))).toBeRefused('payload_too_large')
  expect(await send({ text, ...fields(1001) })).toBeRefused('payload_too_large')
  expect(await send({ text, ...fields(999) })).toBeRefused('invalid_request')
  expect(await send([text, text])).toBeRefused('invalid_request')
})

test('an order with a name of a supplier of more than 255 characters is refused: each of its lines is found by it', async () => {
  const { call } = await newAccount(service)
  const order = (supplier_id: string) => ({ reference: `P${supplier_id.length}`, supplier_id, product_lines: [line()] })
  const { problem } = await call('createPurchaseOrder', { body: order('x'.repeat(256)) })
  expect(problem.errors).toEqual([{ pointer: '/supplier_id', detail: 'must have at most 255 characters' }])
  await call('createPurchaseOrder', { body: order('x'.repeat(255)) })
})

test('a query has at most 50 parameters and 8 KiB', async () => {
  const { key } = await newAccount(service)
  const get = (path: string) =>
    sendRaw(service.baseUrl, { target: path, headers: [['Authorization', `Bearer ${key}`]] })
  for (const path of ['/health/live', '/v1/locations', '/portal/v1/sign-in']) {
    expect(await get(`${path}?${'&'.repeat(50)}`)).toBeRefused('malformed_request')
    expect(await get(`${path}?${'x'.repeat(8193)}`)).toBeRefused('headers_too_large')
  }
  expect((await get(`/v1/locations?${'&'.repeat(49)}`)).status).toBe(200)
  expect((await get(`/health/live?${'x'.repeat(8192)}`)).status).toBe(200)
})
