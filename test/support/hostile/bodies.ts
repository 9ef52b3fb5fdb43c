import { randomUUID } from 'node:crypto'
import { officeOperations } from '../../../src/contract/office/operations.js'
import type { Operation } from '../../../src/contract/operation.js'
import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import { operations } from '../../../src/contract/public/operations.js'
import { field, form, formType } from '../forms.js'
import { type Access, type HostileRequest, statusOfBody } from './target.js'

/** Hostile bodies: for every operation that takes JSON, and for the parser and the validation themselves. */

const maxBytes = 4 * 1024 * 1024

/** Built once: they take longer to build than to send. */
function once<Value>(build: () => Value): () => Value {
  let built: Value | undefined
  return () => (built ??= build())
}

/** JSON of at most 4 MiB, with an item as often as it fits. */
function filled(start: string, item: (index: number) => string, end: string, most = Number.POSITIVE_INFINITY): string {
  const items: string[] = []
  for (let length = start.length + end.length; items.length < most; ) {
    const next = item(items.length)
    length += next.length + 1
    if (length > maxBytes) break
    items.push(next)
  }
  return start + items.join(',') + end
}

const unknownFields = once(() => Buffer.from(filled('{', (index) => `"k${index}":1`, '}')))

type JsonOperation = { name: string; access: Access; operation: Operation }

const jsonOperations: JsonOperation[] = [
  ...Object.entries(operations).map(([name, operation]) => ({ name, access: 'customer' as const, operation })),
  ...Object.entries(operatorOperations).map(([name, operation]) => ({ name, access: 'operator' as const, operation })),
  ...Object.entries(portalOperations).map(([name, operation]) => ({
    name,
    access: operation.access === 'anyone' ? ('anyone' as const) : ('person' as const),
    operation,
  })),
  ...Object.entries(officeOperations).map(([name, operation]) => ({
    name: `${name} of the office`,
    access: operation.access === 'anyone' ? ('anyone' as const) : ('operating person' as const),
    operation,
  })),
].filter(({ operation }) => 'body' in operation && !('accepts' in operation))

const ofEveryOperation: HostileRequest[] = jsonOperations.map(({ name, access, operation: { method, path } }) => ({
  name: `${name} (${access}): 4 MiB of unknown fields`,
  status: 413,
  send: (target) => {
    const filledPath = path.replace('{account}', target.slug).replaceAll(/\{\w+\}/g, 'none')
    return statusOfBody(target, access, { method, path: filledPath, body: unknownFields() })
  },
}))

const line = '{"reference":"1","ordered_quantity":1,"product":{"sku":"S"}}'
const nul = String.raw`"\u0000"`

/** Orders: what is between the start and the end of the body. */
const orders: [name: string, status: number, body: () => string][] = [
  ['4 MiB of ones as lines', 413, () => filled('{"product_lines":[', () => '1', ']}')],
  ['4 MiB of empty lines', 413, () => filled('{"product_lines":[', () => '{}', ']}')],
  ['4 MiB of empty arrays', 413, () => filled('[', () => '[]', ']')],
  ['4 MiB of opening brackets', 413, () => '['.repeat(maxBytes)],
  ['4 MiB of opening braces', 413, () => '{"a":'.repeat(maxBytes / 5)],
  ['90,000 ones as lines', 400, () => filled('{"product_lines":[', () => '1', ']}', 90_000)],
  ['45,000 empty lines', 400, () => filled('{"product_lines":[', () => '{}', ']}', 45_000)],
  [
    '90,000 names in 90 objects',
    400,
    () => filled('[', (at) => filled('{', (i) => `"k${at}-${i}":1`, '}', 990), ']', 90),
  ],
  ['90,000 levels', 400, () => `${'['.repeat(90_000)}${']'.repeat(90_000)}`],
  ['999 names like known ones', 400, () => filled('{', (index) => `"product_line${index}":1`, '}', 999)],
  ['999 names of 4 KB', 400, () => filled('{', (index) => `"${index}${'x'.repeat(4000)}":1`, '}', 999)],
  ['90,000 texts that cannot be stored', 400, () => filled('{"product_lines":[', () => nul, ']}', 90_000)],
  ['a text of 4 MiB', 400, () => `{"reference":"${'x'.repeat(maxBytes - 20)}"}`],
  ['a text of 4 MiB in escapes', 400, () => `{"reference":"${String.raw`\ud83d`.repeat(690_000)}"}`],
  ['a number of 4 MiB', 400, () => `{"reference":${'1'.repeat(maxBytes - 20)}}`],
  ['4 MiB that are not JSON', 400, () => `{"reference":"${'x'.repeat(maxBytes - 20)}`],
  [
    '15,000 lines, the last of them invalid',
    400,
    () => filled('{"product_lines":[', (i) => (i === 14_999 ? '1' : line), ']}', 15_000),
  ],
  [
    '15,000 lines with the same reference',
    400,
    () => filled('{"reference":"R","product_lines":[', () => line, ']}', 15_000),
  ],
]

const ofOrders: HostileRequest[] = orders.map(([name, status, build]) => {
  const body = once(() => Buffer.from(build()))
  return {
    name: `createPurchaseOrder (customer): ${name}`,
    status,
    send: (target) => statusOfBody(target, 'customer', { path: '/v1/purchaseOrders', body: body() }),
  }
})

const validLines = once(() =>
  filled('[', (index) => `{"reference":"${index}","ordered_quantity":1,"product":{"sku":"S"}}`, ']', 15_000),
)

const fields = once(() => form(...Array.from({ length: 5000 }, (_, index) => field(`name${index}`, 'x'))))

export const hostileBodies: HostileRequest[] = [
  ...ofEveryOperation,
  ...ofOrders,
  {
    name: 'createPurchaseOrder (customer): a valid order of 15,000 lines',
    status: 201,
    send: (target) =>
      statusOfBody(target, 'customer', {
        path: '/v1/purchaseOrders',
        body: `{"reference":"${randomUUID()}","product_lines":${validLines()}}`,
      }),
  },
  {
    name: 'checkOrderSheet (person): a form with 5,000 fields',
    status: 400,
    send: (target) => {
      const { path } = portalOperations.checkOrderSheet
      return statusOfBody(target, 'person', { path, type: formType, body: fields() })
    },
  },
]
