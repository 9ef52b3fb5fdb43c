import { expect, test } from 'vitest'
import type { BodyOf } from '../src/contract/operations.js'
import type { RefusalCode } from '../src/contract/refusals.js'
import { line, newAccount, type TestAccount } from './support/account.js'
import { startService } from './support/service.js'

const service = await startService()

/** Sent as it is, also where it is not what the interface accepts. */
async function create({ call }: TestAccount, body: object) {
  return call('createPurchaseOrder', { body: body as BodyOf<'createPurchaseOrder'> })
}

async function update({ call }: TestAccount, body: object) {
  return call('updatePurchaseOrder', { body: body as BodyOf<'updatePurchaseOrder'> })
}

async function orderOf({ call }: TestAccount, reference: string) {
  return (await call('getPurchaseOrder', { params: { reference } })).body
}

async function lineReferences(account: TestAccount, reference: string) {
  return (await orderOf(account, reference)).purchase_order_lines.map((found) => found.reference)
}

/** Every version of an order, oldest first. */
async function historyOf({ id }: TestAccount, reference: string) {
  const rows = await service.db<{ revision: number; author: string; what: string; record: string }[]>`
    select revision, author, what, record from changes
    where account_id = ${id} and kind = 'purchase_order' and id = ${reference} order by revision`
  return rows.map((row) => ({ ...row, record: JSON.parse(row.record) as Record<string, unknown> }))
}

/** Both writes must refuse the body, naming these places, and keep nothing of it. */
async function refusedByBoth(account: TestAccount, body: object, pointers: string[]): Promise<void> {
  await create(account, { reference: 'PO-kept', product_lines: [line()] })
  const before = (await account.call('listPurchaseOrders')).text
  for (const answer of [
    await create(account, { reference: 'PO-new', product_lines: [line()], ...body }),
    await update(account, { reference: 'PO-kept', product_lines: [line()], ...body }),
  ]) {
    expect(answer).toBeRefused('invalid_request' satisfies RefusalCode)
    expect(answer.problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers)
  }
  expect((await account.call('listPurchaseOrders')).text).toBe(before)
}

test('an order that was created can be read back under the names of the interface', async () => {
  const { call } = await newAccount(service)
  const created = await call('createPurchaseOrder', {
    body: {
      reference: 'PO/2026/001',
      supplier_id: 'Fabrika',
      product_lines: [
        {
          ordered_quantity: 12.5,
          product: { sku: 'A-1', name: 'Lamp', is_hazardous: true },
          unit_price: { amount: 3.2, currency: 'EUR' },
        },
      ],
      custom_parameters: [{ name: 'season', value: 'SS27' }],
      desired_delivery_date: '2026-12-31',
    },
  })
  expect(created.status).toBe(201)
  expect(created.body).toEqual({ reference: 'PO/2026/001' })
  expect(created.headers.get('location')).toBe('/v1/purchaseOrders/PO%2F2026%2F001')

  const read = await call('getPurchaseOrder', { params: { reference: 'PO/2026/001' } })
  expect(read.body).toEqual({
    po_number: 'PO/2026/001',
    supplier_name: 'Fabrika',
    purchase_order_lines: [
      {
        reference: '1',
        product: { sku: 'A-1', name: 'Lamp', is_hazardous: 'true' },
        ordered_quantity: 12.5,
        unit_price: { amount: 3.2, currency: 'EUR' },
        assigned_order_lines: [],
      },
    ],
    custom_parameters: [{ name: 'season', value: 'SS27' }],
    desired_delivery_date: '2026-12-31',
  })
  expect((await call('listPurchaseOrders')).body).toEqual([read.body])
})

test('an assigned order refuses changes', async () => {
  const { call, forwarder } = await newAccount(service)
  const { reference } = await forwarder.anAssignedOrder()
  const before = await call('getPurchaseOrder', { params: { reference } })
  expect(await call('updatePurchaseOrder', { body: { reference, product_lines: [line()] } })).toBeRefused(
    'purchase_order_assigned',
  )
  expect((await call('getPurchaseOrder', { params: { reference } })).text).toBe(before.text)
})

test('an order needs a reference and one line with a quantity and a sku, and no more', async () => {
  const account = await newAccount(service)
  const nothing = await create(account, {})
  expect(nothing).toBeRefused('invalid_request')
  expect(nothing.problem.errors).toEqual([
    { pointer: '/reference', detail: 'is required' },
    { pointer: '/product_lines', detail: 'is required' },
  ])
  const hollow = await create(account, { reference: 'P', product_lines: [{}, { product: {}, ordered_quantity: 0 }] })
  expect(hollow.problem.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/product_lines/0/ordered_quantity',
    '/product_lines/0/product',
    '/product_lines/1/ordered_quantity',
    '/product_lines/1/product/sku',
  ])
  expect((await account.call('listPurchaseOrders')).body).toEqual([])

  const least = { reference: 'P', product_lines: [{ ordered_quantity: 0.001, product: { sku: 's' } }] }
  expect((await create(account, least)).status).toBe(201)
})

test('an order without lines is refused, on creation and on update', async () => {
  await refusedByBoth(await newAccount(service), { product_lines: [] }, ['/product_lines'])
})

test('an order carries all that the interface knows of it, in both directions', async () => {
  const account = await newAccount(service)
  const product = {
    sku: 'A-1',
    name: 'Lamp',
    hs_code: '940510',
    description: 'Desk lamp',
    is_hazardous: 'true',
    hazardous_description: 'UN3481',
    custom_parameters: [{ name: 'color', value: 'red' }],
  }
  const unit_price = { amount: 12.34, currency: 'XPF' }
  const dates = { desired_delivery_date: '2028-02-29', desired_ex_factory_date: '2026-01-31' }
  const custom_parameters = [{ name: 'season', value: 'SS27' }]
  await create(account, {
    reference: 'P',
    supplier_id: 'Fabrika',
    product_lines: [{ reference: 'L', ordered_quantity: 3, product, unit_price }],
    custom_parameters,
    ...dates,
  })
  expect(await orderOf(account, 'P')).toEqual({
    po_number: 'P',
    supplier_name: 'Fabrika',
    purchase_order_lines: [{ reference: 'L', product, ordered_quantity: 3, unit_price, assigned_order_lines: [] }],
    custom_parameters,
    ...dates,
  })
})

test('volume and volume_unit are kept although the interface does not return them', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', product_lines: [{ ...line(), volume: 1.25, volume_unit: 'cbm' }] })
  const [version] = await historyOf(account, 'P')
  expect(version?.record.product_lines).toEqual([{ ...line(), volume: 1.25, volume_unit: 'cbm', reference: '1' }])
  expect((await account.call('getPurchaseOrder', { params: { reference: 'P' } })).text).not.toContain('volume')
})

test('lines without a reference get their position, or the next number that is free', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'plain', product_lines: [line(), line(), line()] })
  expect(await lineReferences(account, 'plain')).toEqual(['1', '2', '3'])
  const lines = [line(), line({ reference: '1' }), line(), line({ reference: 'x' }), line({ reference: '3' }), line()]
  await create(account, { reference: 'mixed', product_lines: lines })
  expect(await lineReferences(account, 'mixed')).toEqual(['2', '1', '4', 'x', '3', '6'])
})

test('two lines with the same reference are refused', async () => {
  const lines = [line({ reference: 'a' }), line({ reference: 'b' }), line({ reference: 'a' }), line({ reference: 'a' })]
  await refusedByBoth(await newAccount(service), { product_lines: lines }, [
    '/product_lines/2/reference',
    '/product_lines/3/reference',
  ])
})

test.each([
  ['true', 'true'],
  ['false', 'false'],
  [true, 'true'],
  [false, 'false'],
])('is_hazardous sent as %j is returned as the string %j', async (sent, returned) => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', product_lines: [{ ...line(), product: { sku: 's', is_hazardous: sent } }] })
  expect((await orderOf(account, 'P')).purchase_order_lines[0]?.product.is_hazardous).toBe(returned)
})

test.each(['yes', 'True', '', 1, 0, null])('is_hazardous is not %j', async (is_hazardous) => {
  await refusedByBoth(
    await newAccount(service),
    { product_lines: [{ ...line(), product: { sku: 's', is_hazardous } }] },
    ['/product_lines/0/product/is_hazardous'],
  )
})

test('a field that the interface does not have is named, not dropped', async () => {
  await refusedByBoth(await newAccount(service), { supplier_name: 'Fabrika', id: 7 }, ['/supplier_name', '/id'])
})

test('an order has six custom parameters at most, a product any number', async () => {
  const account = await newAccount(service)
  const parameters = (length: number) => Array.from({ length }, (_, index) => ({ name: `n${index}`, value: 'v' }))
  await refusedByBoth(account, { custom_parameters: parameters(7) }, ['/custom_parameters'])
  const product_lines = [{ ...line(), product: { sku: 's', custom_parameters: parameters(7) } }]
  await create(account, { reference: 'P', product_lines, custom_parameters: parameters(6) })
  const order = await orderOf(account, 'P')
  expect(order.custom_parameters).toEqual(parameters(6))
  expect(order.purchase_order_lines[0]?.product.custom_parameters).toEqual(parameters(7))
})

test('a date must exist in the calendar', async () => {
  await refusedByBoth(
    await newAccount(service),
    { desired_delivery_date: '2026-02-30', desired_ex_factory_date: '2027-02-29' },
    ['/desired_delivery_date', '/desired_ex_factory_date'],
  )
})

test('a reference that the account has cannot be created again, and its order stays as it is', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'first', product_lines: [line()] })
  const before = (await account.call('listPurchaseOrders')).text
  const again = await create(account, { reference: 'P', supplier_id: 'second', product_lines: [line()] })
  expect(again).toBeRefused('purchase_order_exists')
  expect(again.headers.get('location')).toBeNull()
  expect((await account.call('listPurchaseOrders')).text).toBe(before)
  expect(await historyOf(account, 'P')).toHaveLength(1)
})

test('references that differ only in case, width or accents are different orders', async () => {
  const account = await newAccount(service)
  const references = ['po-e', 'PO-E', 'po-é', 'po-e\u0301', 'po-e ', ' po-e', 'ｐｏ-e']
  for (const reference of references) {
    expect((await create(account, { reference, product_lines: [line()] })).status).toBe(201)
  }
  for (const reference of references) expect((await orderOf(account, reference)).po_number).toBe(reference)
})

test('an update replaces the lines as a whole, and keeps what it does not mention', async () => {
  const account = await newAccount(service)
  await create(account, {
    reference: 'P',
    supplier_id: 'Fabrika',
    product_lines: [
      { ...line({ reference: 'a' }), product: { sku: 's', description: 'old' }, volume: 2 },
      line({ reference: 'b' }),
    ],
    custom_parameters: [{ name: 'n', value: 'v' }],
    desired_delivery_date: '2026-05-01',
    desired_ex_factory_date: '2026-04-01',
  })
  const answer = await update(account, {
    reference: 'P',
    product_lines: [line({ sku: 'new', ordered_quantity: 1 }), line({ reference: 'a', ordered_quantity: 2 })],
  })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ reference: 'P' })
  expect(answer.headers.get('location')).toBeNull()
  expect(await orderOf(account, 'P')).toEqual({
    po_number: 'P',
    supplier_name: 'Fabrika',
    purchase_order_lines: [
      { reference: '1', product: { sku: 'new' }, ordered_quantity: 1, assigned_order_lines: [] },
      { reference: 'a', product: { sku: 'SKU-1' }, ordered_quantity: 2, assigned_order_lines: [] },
    ],
    desired_ex_factory_date: '2026-04-01',
    desired_delivery_date: '2026-05-01',
    custom_parameters: [{ name: 'n', value: 'v' }],
  })
  const [, updated] = await historyOf(account, 'P')
  expect(JSON.stringify(updated?.record)).not.toContain('volume')
})

test('an update may change supplier, parameters and dates without the lines', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'Fabrika', product_lines: [line()] })
  const { purchase_order_lines } = await orderOf(account, 'P')
  await update(account, { reference: 'P', supplier_id: '', custom_parameters: [], desired_delivery_date: '2026-05-01' })
  await update(account, { reference: 'P', desired_ex_factory_date: '2026-04-01' })
  expect(await orderOf(account, 'P')).toEqual({
    po_number: 'P',
    supplier_name: '',
    purchase_order_lines,
    custom_parameters: [],
    desired_delivery_date: '2026-05-01',
    desired_ex_factory_date: '2026-04-01',
  })
})

test('an update of an order that the account does not have is a 404, and creates nothing', async () => {
  const account = await newAccount(service)
  const other = await newAccount(service)
  await create(other, { reference: 'P', product_lines: [line()] })
  expect(await update(account, { reference: 'P', product_lines: [line()] })).toBeRefused('purchase_order_not_found')
  expect((await account.call('listPurchaseOrders')).body).toEqual([])
  expect(await historyOf(other, 'P')).toHaveLength(1)
})

test('an assigned order refuses every change, even one that changes nothing', async () => {
  const account = await newAccount(service)
  const { reference } = await account.forwarder.anAssignedOrder()
  const before = (await account.call('getPurchaseOrder', { params: { reference } })).text
  for (const body of [{ supplier_id: 'x' }, { product_lines: [line({ reference: '1' })] }, {}]) {
    expect(await update(account, { reference, ...body })).toBeRefused('purchase_order_assigned')
  }
  expect((await account.call('getPurchaseOrder', { params: { reference } })).text).toBe(before)
})

test('every version of an order is kept, with its revision and who made it', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'one', product_lines: [line()] })
  await create(account, { reference: 'Q', product_lines: [line()] })
  await update(account, { reference: 'P', supplier_id: 'two' })
  await account.forwarder.imports({
    kind: 'purchase_order',
    data: { reference: 'P', supplier_id: 'three', product_lines: [line()] },
  })
  const history = await historyOf(account, 'P')
  expect(history.map(({ what, author, record }) => [what, author, record.supplier_id])).toEqual([
    ['created', `key:${account.key_id}`, 'one'],
    ['updated', `key:${account.key_id}`, 'two'],
    ['updated', 'test', 'three'],
  ])
  expect(history.map(({ revision }) => revision)).toEqual([1, 3, 4])
})

test('an update that changes nothing makes no version', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'one', product_lines: [line()] })
  for (const body of [{}, { supplier_id: 'one' }, { product_lines: [line()] }]) {
    expect((await update(account, { reference: 'P', ...body })).status).toBe(200)
  }
  expect(await historyOf(account, 'P')).toHaveLength(1)
})
