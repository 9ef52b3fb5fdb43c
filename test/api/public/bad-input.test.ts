import { expect, test } from 'vitest'
import type { Problem } from '../../../src/contract/problem.js'
import type { RefusalCode } from '../../../src/contract/refusals.js'
import { line } from '../../support/account.js'
import { json, newAccountWithOrder, order, refused } from '../../support/bad-request.js'
import { startService } from '../../support/service.js'

const service = await startService()

/** Sends a body to both writes. */
async function refusedBody(body: string | Buffer, code: RefusalCode): Promise<Problem[]> {
  const account = await newAccountWithOrder(service)
  const target = '/v1/purchaseOrders'
  return [
    await refused(service, account, { method: 'POST', target, headers: [json], body }, code),
    await refused(service, account, { method: 'PATCH', target, headers: [json], body }, code),
  ]
}

async function refusedFields(body: string | Buffer, pointers: string[]): Promise<void> {
  for (const { errors } of await refusedBody(body, 'invalid_request')) {
    expect(errors?.map(({ pointer }) => pointer)).toEqual(pointers)
  }
}

test.each([
  ['cut short', '{"reference": "PO-1", '],
  ['not JSON at all', 'reference=PO-1'],
  ['two values', '{} {}'],
  ['a trailing comma', '{"reference": "PO-1",}'],
  ['NaN', '{"reference": NaN}'],
  ['empty', ''],
  ['a bare NUL byte', '{"reference": "PO-\0"}'],
])('a body that is malformed JSON (%s) is refused', async (_, body) => {
  await refusedBody(body, 'malformed_json')
})

test.each([
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"PO-1"'],
  ['a number', '1'],
  ['a boolean', 'true'],
])('a body that is %s instead of an object is refused', async (_, body) => {
  await refusedFields(body, [''])
})

test('every value of a wrong type is named', async () => {
  await refusedFields(
    order({
      supplier_id: 7,
      custom_parameters: { name: 'a', value: 'b' },
      desired_delivery_date: 20261231,
      product_lines: [
        {
          reference: 1,
          ordered_quantity: '3',
          product: { sku: null, is_hazardous: 'yes' },
          unit_price: { amount: '1', currency: 'eur' },
          volume_unit: 'm3',
        },
      ],
    }),
    [
      '/product_lines/0/ordered_quantity',
      '/product_lines/0/product/sku',
      '/product_lines/0/product/is_hazardous',
      '/product_lines/0/reference',
      '/product_lines/0/unit_price/amount',
      '/product_lines/0/unit_price/currency',
      '/product_lines/0/volume_unit',
      '/supplier_id',
      '/custom_parameters',
      '/desired_delivery_date',
    ],
  )
})

test('null is refused for every field', async () => {
  await refusedFields(order({ supplier_id: null }), ['/supplier_id'])
})

test('unknown fields are named, at every depth', async () => {
  await refusedFields(
    order({
      suplier_id: 'x',
      product_lines: [{ ...line(), color: 'red', product: { sku: 'A', 'a/b~c': 1 } }],
    }),
    ['/suplier_id', '/product_lines/0/color', '/product_lines/0/product/a~1b~0c'],
  )
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'the field %s is refused as unknown',
  async (name) => {
    await refusedFields(
      `{"reference":"PO-1","product_lines":[${JSON.stringify(line())}],"${name}":{"polluted":true}}`,
      [`/${name}`],
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  },
)

test('more than six custom parameters are refused', async () => {
  const custom_parameters = Array.from({ length: 7 }, (_, index) => ({ name: `n${index}`, value: 'v' }))
  await refusedFields(order({ custom_parameters }), ['/custom_parameters'])
})

test.each([
  '2026-02-30',
  '2026-13-01',
  '2025-02-29',
  '2026-00-10',
  '2026-04-31',
  '0000-01-01',
  '2026-1-1',
  '20260101',
  '2026-01-01T00:00:00Z',
  '',
])('the date %j is refused', async (date) => {
  await refusedFields(order({ desired_delivery_date: date, desired_ex_factory_date: date }), [
    '/desired_delivery_date',
    '/desired_ex_factory_date',
  ])
})

test.each([0, -1, 1e16])('a quantity of %d is refused', async (ordered_quantity) => {
  await refusedFields(order({ product_lines: [line({ ordered_quantity })] }), ['/product_lines/0/ordered_quantity'])
})

test('numbers beyond the safe range of JSON clients are refused', async () => {
  const body = order({ product_lines: [{ ...line(), volume: 1, unit_price: { amount: 1, currency: 'EUR' } }] })
  await refusedFields(
    body
      .replace('"volume":1', '"volume":1e400')
      .replace('"amount":1', '"amount":-1e400')
      .replace('"ordered_quantity":10', '"ordered_quantity":1e999'),
    ['/product_lines/0/ordered_quantity', '/product_lines/0/unit_price/amount', '/product_lines/0/volume'],
  )
})

test('a body above 4 MiB is refused, with and without Content-Length', async () => {
  const account = await newAccountWithOrder(service)
  const body = order({ supplier_id: 'x'.repeat(4 * 1024 * 1024) })
  const request = { method: 'POST', target: '/v1/purchaseOrders', headers: [json] }
  await refused(service, account, { ...request, body }, 'payload_too_large')
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  await refused(
    service,
    account,
    { ...request, headers: [json, ['Transfer-Encoding', 'chunked']], body: chunked },
    'payload_too_large',
  )
})

test('a body nested 49,000 levels deep is refused', async () => {
  const levels = 49_000
  await refusedFields(`${'['.repeat(levels)}${']'.repeat(levels)}`, ['/0'.repeat(64), ''])
  await refusedFields(
    `{"reference":"PO-1","product_lines":[${JSON.stringify(line())}],"a":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
    ['/a'.repeat(64), '/a'],
  )
})

test('a body with very many faults is refused with the first hundred', async () => {
  const body = `{"reference":"PO-1","supplier_id":[${Array.from({ length: 90_000 }, () => '"\\u0000"').join()}]}`
  for (const { errors } of await refusedBody(body, 'invalid_request')) expect(errors).toHaveLength(100)
  const fields = Array.from({ length: 900 }, (_, index) => `"f${index}":1`).join()
  const unknown = `{"reference":"PO-1","product_lines":[${JSON.stringify(line())}],${fields}}`
  for (const { errors } of await refusedBody(unknown, 'invalid_request')) expect(errors).toHaveLength(100)
})

test('NUL characters in a body are refused with their pointer', async () => {
  await refusedFields(order({ supplier_id: 'a\0b', product_lines: [{ ...line(), product: { sku: '\0' } }] }), [
    '/product_lines/0/product/sku',
    '/supplier_id',
  ])
})

test('lone surrogates in a body are refused with their pointer', async () => {
  await refusedFields(order({ supplier_id: '\ud83d' }), ['/supplier_id'])
})

test('invalid UTF-8 in a body is refused', async () => {
  const text = order({ supplier_id: 'Fabrik@' })
  const bytes = Buffer.from(text)
  bytes[text.indexOf('@')] = 0xe9
  await refusedBody(bytes, 'malformed_json')
})

test.each([
  ['256 characters', 'x'.repeat(256)],
  ['256 characters outside the basic plane', '🚢'.repeat(256)],
  ['one letter under 5,000 accents', `e${'\u0301'.repeat(5000)}`],
  ['a megabyte', 'x'.repeat(1024 * 1024)],
  ['nothing', ''],
])('a reference of %s is refused', async (_, reference) => {
  await refusedFields(order({ reference }), ['/reference'])
})
