import { randomUUID } from 'node:crypto'
import { officeOperations } from '../../../src/contract/office/operations.js'
import type { Operation } from '../../../src/contract/operation.js'
import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import { operations } from '../../../src/contract/public/operations.js'
import { field, form, formType } from '../forms.js'
import { type Access, type HostileRequest, type HostileTarget, statusOfBody } from './target.js'

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

const linesToName = once(() => {
  const named = (index: number) => (index < 9000 ? '' : `"reference":"${index - 8999}",`)
  return filled('[', (index) => `{${named(index)}"ordered_quantity":1,"product":{"sku":"S"}}`, ']', 18_000)
})

const fields = once(() => form(...Array.from({ length: 5000 }, (_, index) => field(`name${index}`, 'x'))))

const shipments = Array.from({ length: 100 }, (_, at) => `S-${at}`)
const unknown = filled('{', (index) => `"k${index}":1`, '}', 900)

/** Each of a hundred shipments, which exist, has a patch with faults of its own. */
async function changesOfMany(target: HostileTarget): Promise<number> {
  const { slug } = target
  const lines = shipments.map(
    (id) => `{"kind":"shipment","account":"${slug}","data":{"svc_shipment_id":"${id}","status":"booked"}}\n`,
  )
  const path = operatorOperations.import.path
  await statusOfBody(target, 'operator', { path, type: 'application/x-ndjson', body: lines.join('') })
  const changes = shipments.map(
    (id) => `{"account":"${slug}","svc_shipment_id":"${id}","revision":1,"patch":${unknown}}`,
  )
  return statusOfBody(target, 'operator', {
    path: operatorOperations.changeShipments.path,
    body: `{"changes":[${changes.join(',')}]}`,
  })
}

const bankLists: [name: string, status: number, text: () => string][] = [
  ['60,000 blanks within a cell', 200, () => `1\ta${' '.repeat(60_000)}b`],
  ['a row of 100,000 cells', 200, () => '1\t'.repeat(100_000)],
  ['25,000 rows that went out', 400, () => '1;-1 €\n'.repeat(25_000)],
  ['40,000 rows', 400, () => '1 €\n'.repeat(40_000)],
]

const ofBankLists: HostileRequest[] = bankLists.map(([name, status, text]) => ({
  name: `matchPayments (operator): ${name}`,
  status,
  send: (target) => {
    const { path } = operatorOperations.matchPayments
    return statusOfBody(target, 'operator', { path, body: JSON.stringify({ text: text() }) })
  },
}))

/** A shipment of as many containers as it may have, in which 50 orders are packed. */
async function updateOfManyContainers(target: HostileTarget): Promise<number> {
  const { slug } = target
  const lineOf = (kind: string, data: object) => `${JSON.stringify({ kind, account: slug, data })}\n`
  const containers = Array.from({ length: 2000 }, (_, at) => ({ container_number: `C${at}` }))
  const packedOrders = Array.from({ length: 50 }, (_, order) => {
    const reference = `P-${order}`
    const product = { reference: '1', ordered_quantity: 100, product: { sku: 'S' } }
    const packed = Array.from({ length: 100 }, (__, at) => ({
      container_number: `C${order + at * 19}`,
      shipped_quantity: 1,
    }))
    const assigned = { reference, line: '1', svc_shipment_id: 'S-packed', assigned_quantity: 100 }
    return [
      lineOf('purchase_order', { reference, product_lines: [product] }),
      lineOf('assignment', { ...assigned, shipped_order_lines: packed }),
    ]
  }).flat()
  const lines = [
    lineOf('shipment', { svc_shipment_id: 'S-packed', status: 'booked', cargo: { containers } }),
    ...packedOrders,
  ]
  const type = 'application/x-ndjson'
  await statusOfBody(target, 'operator', { path: operatorOperations.import.path, type, body: lines.join('') })
  const { method, path } = operatorOperations.updateShipment
  const place = path.replace('{account}', slug).replace('{svc_shipment_id}', 'S-packed')
  return statusOfBody(target, 'operator', { method, path: place, body: '{"name":"Lamps"}' })
}

export const hostileBodies: HostileRequest[] = [
  {
    name: 'changeShipments (operator): 100 patches with 900 unknown fields each',
    status: 200,
    send: changesOfMany,
  },
  {
    name: 'updateShipment (operator): of 2,000 containers and 5,000 packed lines',
    status: 200,
    send: updateOfManyContainers,
  },
  ...ofEveryOperation,
  ...ofOrders,
  ...ofBankLists,
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
    name: 'createPurchaseOrder (customer): 9,000 lines without a reference, then 9,000 with all numbers up to 9,000',
    status: 201,
    send: (target) =>
      statusOfBody(target, 'customer', {
        path: '/v1/purchaseOrders',
        body: `{"reference":"${randomUUID()}","product_lines":${linesToName()}}`,
      }),
  },
  {
    name: 'createPurchaseOrder (customer): 15,000 lines of a supplier with a name of 2 MB',
    status: 400,
    send: (target) =>
      statusOfBody(target, 'customer', {
        path: '/v1/purchaseOrders',
        body: `{"reference":"${randomUUID()}","supplier_id":"${'x'.repeat(maxBytes / 2)}","product_lines":${validLines()}}`,
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
