import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { importLines } from '../../src/ingest/lines/import.js'
import type { LineFault } from '../../src/ingest/lines/report.js'
import { type Line, line, newAccount, type TestAccount } from '../support/account.js'
import { startService } from '../support/service.js'

const service = await startService()

const shipment: Line = { kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } }
const order = (ordered_quantity: number, reference = '1'): Line => ({
  kind: 'purchase_order',
  data: { reference: 'PO-1', product_lines: [line({ reference, ordered_quantity })] },
})
const assignment = (assigned_quantity: number, svc_shipment_id = 'S-1', given = {}): Line => ({
  kind: 'assignment',
  data: { reference: 'PO-1', line: '1', svc_shipment_id, assigned_quantity, ...given },
})

test('every bad line is reported with its number and a pointer to every fault, and nothing of the file is kept', async () => {
  const account = await newAccount(service)
  const before = await stateOf(account)
  const { slug } = account
  const { kept, faults, rejected } = await importRaw([
    good(slug, { kind: 'location', data: { id: 1 } }),
    '{"kind": "location"',
    '',
    '[]',
    JSON.stringify({ kind: 'vessel', account: slug, data: {} }),
    JSON.stringify({ kind: 'location', account: 'Not A Slug', data: {}, extra: 1 }),
    JSON.stringify({ kind: 'location', account: slug, data: { id: 'one', country: 'France' } }),
    JSON.stringify({
      kind: 'purchase_order',
      account: slug,
      data: { reference: 'PO', product_lines: [{ ordered_quantity: 0 }] },
    }),
    good(slug, { kind: 'shipment', data: { svc_shipment_id: 'S-1' } }),
    JSON.stringify({
      kind: 'shipment',
      account: slug,
      data: { svc_shipment_id: 'S-2', cargo_ready_date: '2026-02-30' },
    }),
  ])
  expect(kept).toBe(false)
  expect(rejected).toEqual([2, 4, 5, 6, 7, 8, 10])
  expect(faults.map((fault) => `${fault.line} ${fault.pointer}`).toSorted()).toEqual(
    [
      '2 ',
      '4 ',
      '5 /kind',
      '6 /account',
      '6 /extra',
      '7 /data/id',
      '7 /data/country',
      '8 /data/product_lines/0/product',
      '8 /data/product_lines/0/ordered_quantity',
      '10 /data/cargo_ready_date',
    ].toSorted(),
  )
  for (const { detail } of faults) expect(detail).not.toBe('')
  expect(await stateOf(account)).toEqual(before)
})

test('faults of single lines and faults that only the whole file shows are reported together', async () => {
  const { slug } = await newAccount(service)
  const { faults } = await importRaw([
    'nonsense',
    good(slug, { kind: 'tracking', data: { svc_shipment_id: 'S-9' } }),
    good('no-such-account-here', { kind: 'location', data: { id: 1 } }),
  ])
  expect(faults.map((fault) => `${fault.line} ${fault.pointer}`).toSorted()).toEqual([
    '1 ',
    '2 /data/svc_shipment_id',
    '3 /account',
  ])
})

test('bytes that are not UTF-8 make a line bad', async () => {
  const { slug } = await newAccount(service)
  const text = Buffer.from(`${good(slug, { kind: 'location', data: { id: 1, name: 'x' } })}\n`)
  text[text.indexOf('"x"') + 1] = 0xff
  const { kept, faults } = await importRaw(text)
  expect(kept).toBe(false)
  expect(faults).toMatchObject([{ line: 1, pointer: '' }])
})

test.each([
  ['NUL', '\0', '/data/name'],
  ['a lone surrogate', '\ud800', '/data/name'],
])('a text with %s makes a line bad', async (_, name, pointer) => {
  const { forwarder } = await newAccount(service)
  const { outcome, faults } = await forwarder.triesToImport({ kind: 'location', data: { id: 1, name } })
  expect(outcome.kept).toBe(false)
  expect(faults).toMatchObject([{ line: 1, pointer }])
})

test('lines of an account that does not exist are bad, whatever their kind, and the account is not made', async () => {
  const slug = `none-${randomBytes(6).toString('hex')}`
  const { kept, faults } = await importRaw([good(slug, shipment), good(slug, order(1)), good(slug, assignment(1))])
  expect(kept).toBe(false)
  expect(faults.toSorted((one, other) => one.line - other.line)).toEqual(
    [1, 2, 3].map((number) => ({ line: number, pointer: '/account', detail: `there is no account ${slug}` })),
  )
  expect(await service.db`select from accounts where slug = ${slug}`).toHaveLength(0)
})

test('an account that a bad file would have created does not exist', async () => {
  const slug = `none-${randomBytes(6).toString('hex')}`
  const { kept } = await importRaw([
    JSON.stringify({ kind: 'account', account: slug, data: { name: 'Never' } }),
    'nonsense',
  ])
  expect(kept).toBe(false)
  expect(await service.db`select from accounts where slug = ${slug}`).toHaveLength(0)
})

const unknown = '/data/svc_shipment_id'
const id = '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11'
const dangling: [string, Line[], string][] = [
  ['tracking of a shipment', [{ kind: 'tracking', data: { svc_shipment_id: 'S-9' } }], unknown],
  ['an invoice of a shipment', [{ kind: 'invoice', data: { reference: 'I', svc_shipment_id: 'S-9' } }], unknown],
  [
    'a document of a shipment',
    [{ kind: 'document', data: { id, name: 'a.txt', svc_shipment_id: 'S-9', content_base64: 'aGk=' } }],
    unknown,
  ],
  ['an assignment to a shipment', [order(5), assignment(1, 'S-9')], unknown],
  ['an assignment of an order', [shipment, assignment(1)], '/data/reference'],
  ['an assignment of a line', [shipment, order(5, 'other'), assignment(1)], '/data/line'],
]

test.each(dangling)('%s that is neither stored nor in the file is bad', async (_, lines, pointer) => {
  const account = await newAccount(service)
  const before = await stateOf(account)
  const { outcome, faults } = await account.forwarder.triesToImport(...lines)
  expect(outcome.kept).toBe(false)
  expect(faults).toMatchObject([{ line: lines.length, pointer }])
  expect(await stateOf(account)).toEqual(before)
})

test('what another account has is unknown', async () => {
  const other = await newAccount(service)
  await other.forwarder.imports(shipment, order(5))
  const { forwarder } = await newAccount(service)
  const { faults } = await forwarder.triesToImport(
    { kind: 'tracking', data: { svc_shipment_id: 'S-1' } },
    assignment(1),
  )
  expect(faults.map(({ line: number, pointer }) => `${number} ${pointer}`).toSorted()).toEqual([
    `1 ${unknown}`,
    '2 /data/reference',
  ])
})

test('an invoice and a document may belong to no shipment', async () => {
  const { forwarder } = await newAccount(service)
  await forwarder.imports(
    { kind: 'invoice', data: { reference: 'I' } },
    { kind: 'document', data: { id, name: 'a.txt', content_base64: 'aGk=' } },
  )
})

test('quantities are decimals: 0.1 and 0.2 of 0.3 may be assigned, and shipped', async () => {
  const { forwarder } = await newAccount(service)
  await forwarder.imports(
    shipment,
    { kind: 'shipment', data: { svc_shipment_id: 'S-2' } },
    order(0.3),
    assignment(0.1),
    assignment(0.2, 'S-2', { shipped_order_lines: [{ shipped_quantity: 0.05 }, { shipped_quantity: 0.15 }] }),
  )
})

test('more than was ordered cannot be assigned: the last line of the file is one too many', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(
    shipment,
    { kind: 'shipment', data: { svc_shipment_id: 'S-2' } },
    order(10),
    assignment(4),
  )
  const before = await stateOf(account)
  const { outcome, faults } = await account.forwarder.triesToImport(assignment(6.5, 'S-2'))
  expect(outcome.kept).toBe(false)
  expect(faults).toEqual([
    {
      line: 1,
      pointer: '/data/assigned_quantity',
      detail: 'brings the assigned quantity of the line to 10.5 of 10 ordered: 0.5 too many',
    },
  ])
  expect(await stateOf(account)).toEqual(before)
  // The same assignment may grow, as far as there is room.
  await account.forwarder.imports(assignment(10))
})

test('more than was assigned cannot be shipped', async () => {
  const { forwarder } = await newAccount(service)
  const { faults } = await forwarder.triesToImport(
    shipment,
    order(10),
    assignment(0.3, 'S-1', { shipped_order_lines: [{ shipped_quantity: 0.1 }, { shipped_quantity: 0.3 }] }),
  )
  expect(faults).toEqual([
    { line: 3, pointer: '/data/shipped_order_lines', detail: 'ships 0.4 of 0.3 assigned: 0.1 too many' },
  ])
})

test('an order must leave room for what of it is on shipments', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(shipment, order(10), assignment(4))
  const before = await stateOf(account)
  const less = await account.forwarder.triesToImport(order(3))
  expect(less.outcome.kept).toBe(false)
  expect(less.faults).toMatchObject([{ line: 1, pointer: '/data/product_lines' }])
  const without = await account.forwarder.triesToImport(order(10, 'another'))
  expect(without.outcome.kept).toBe(false)
  expect(without.faults).toEqual([
    { line: 1, pointer: '/data/product_lines', detail: 'leaves out line 1, which is assigned to a shipment' },
  ])
  expect(await stateOf(account)).toEqual(before)
  // Together with a smaller assignment the smaller order is a good one.
  await account.forwarder.imports(order(3), assignment(3))
})

test('with --skip-invalid an order is kept only when it leaves room for what stays on shipments', async () => {
  const account = await newAccount(service)
  await account.forwarder.imports(shipment, order(10), assignment(4))
  const before = await stateOf(account)
  // Each assignment is bad against its new order; the stored one stays, and has no room in that order.
  for (const lines of [
    [order(2), assignment(3)],
    [order(9, 'another'), assignment(1)],
  ]) {
    const { kept, faults, rejected } = await importRaw(
      lines.map((given) => good(account.slug, given)),
      { skipInvalid: true },
    )
    expect(kept).toBe(true)
    expect(rejected).toEqual([1, 2])
    expect(faults.map(({ pointer }) => pointer).toSorted()[1]).toBe('/data/product_lines')
    expect(await stateOf(account)).toEqual(before)
  }
})

test('a cancelled shipment counts again only where its quantities have not been assigned to others', async () => {
  const account = await newAccount(service)
  const status = (svc_shipment_id: string, given: object): Line => ({
    kind: 'shipment',
    data: { svc_shipment_id, ...given },
  })
  const [cancelled, other] = [status('S-1', { status: 'cancelled' }), status('S-2', { status: 'booked' })]
  await account.forwarder.imports(cancelled, other, order(10), assignment(4), assignment(8, 'S-2'))
  const before = await stateOf(account)
  for (const given of [{}, { status: 'booked' }]) {
    const { outcome, faults } = await account.forwarder.triesToImport(status('S-1', given))
    expect(outcome.kept).toBe(false)
    expect(faults).toEqual([
      {
        line: 1,
        pointer: '/data/status',
        detail:
          'counts again what was assigned to others since: line 1 of PO-1 brings the assigned quantity of the line to 12 of 10 ordered: 2 too many',
      },
    ])
  }
  // Of several lines those that leave it cancelled count.
  const lines = [
    status('S-1', { status: 'cancelled', name: 'sold' }),
    status('S-1', {}),
    status('S-1', { name: 'again' }),
  ]
  const { kept, rejected } = await importRaw(
    lines.map((given) => good(account.slug, given)),
    { skipInvalid: true },
  )
  expect([kept, rejected]).toEqual([true, [2, 3]])
  expect(await stateOf(account)).toMatchObject({ orders: before.orders, assignments: before.assignments })
  // Together with a smaller assignment, or a larger order, it counts again.
  await account.forwarder.imports(status('S-1', {}), assignment(6, 'S-2'))
  await account.forwarder.imports(cancelled, assignment(8, 'S-2'))
  await account.forwarder.imports(status('S-1', {}), order(12))
})

test('with --skip-invalid the good lines of a file are kept', async () => {
  const account = await newAccount(service)
  const { kept, rejected, summary } = await importRaw(
    [
      good(account.slug, shipment),
      'nonsense',
      good(account.slug, order(10)),
      good(account.slug, assignment(4)),
      good(account.slug, assignment(1, 'S-9')),
    ],
    { skipInvalid: true },
  )
  expect(kept).toBe(true)
  expect(rejected).toEqual([2, 5])
  expect(summary).toMatchObject({ lines: 5, rejected: 2, kinds: { assignment: { created: 1 } } })
  const { body } = await account.call('getPurchaseOrder', { params: { reference: 'PO-1' } })
  expect(body.purchase_order_lines).toMatchObject([{ assigned_order_lines: [{ svc_shipment_id: 'S-1' }] }])
})

function good(slug: string, given: Line): string {
  return JSON.stringify({ ...given, account: slug })
}

async function importRaw(text: string[] | Buffer, options = { skipInvalid: false }) {
  const faults: LineFault[] = []
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(`${text.join('\n')}\n`)
  const { kept, rejectedLines, summary } = await importLines(service, only(bytes), {
    folder: service.dataFolder,
    author: 'test',
    onFault: (fault) => faults.push(fault),
    ...options,
  })
  return { kept, faults, summary, rejected: [...rejectedLines].toSorted((one, other) => one - other) }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Everything that the database holds of an account. */
async function stateOf({ id: account }: TestAccount) {
  const { db } = service
  return {
    account: await db`select * from accounts where account_id = ${account}`,
    changes: await db`select * from changes where account_id = ${account} order by kind, id, revision`,
    shipments: await db`select * from shipments where account_id = ${account} order by svc_shipment_id`,
    orders: await db`select * from purchase_orders where account_id = ${account} order by reference`,
    assignments: await db`select * from assignments where account_id = ${account} order by reference, line`,
    others: await db`
      select account_id from locations where account_id = ${account} union all
      select account_id from tracking where account_id = ${account} union all
      select account_id from invoices where account_id = ${account} union all
      select account_id from documents where account_id = ${account}`,
  }
}
