import { expect, test } from 'vitest'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { create, historyOf, orderOf, update } from '../../support/orders.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function lineReferences(account: TestAccount, reference: string) {
  return (await orderOf(account, reference)).purchase_order_lines.map((found) => found.reference)
}

/** Both writes must refuse the body with these pointers, and store nothing. */
async function refusedByBoth(account: TestAccount, body: object, pointers: string[]): Promise<void> {
  await create(account, { reference: 'PO-kept', product_lines: [line()] })
  const before = (await account.call('listPurchaseOrders')).text
  for (const response of [
    await create(account, { reference: 'PO-new', product_lines: [line()], ...body }),
    await update(account, { reference: 'PO-kept', product_lines: [line()], ...body }),
  ]) {
    expect(response).toBeRefused('invalid_request')
    expect(response.problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers)
  }
  expect((await account.call('listPurchaseOrders')).text).toBe(before)
}

test('a created order is read back under the names of the interface', async () => {
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

test('an order needs only a reference and one line with a quantity and a sku', async () => {
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

test('all fields of the interface are stored and returned', async () => {
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

test('volume and volume_unit are stored although the interface does not return them', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', product_lines: [{ ...line(), volume: 1.25, volume_unit: 'cbm' }] })
  const [version] = await historyOf(service.db, account, 'P')
  expect(version?.record.product_lines).toEqual([{ ...line(), volume: 1.25, volume_unit: 'cbm', reference: '1' }])
  expect((await account.call('getPurchaseOrder', { params: { reference: 'P' } })).text).not.toContain('volume')
})

test('lines without a reference get their position, or the next free number', async () => {
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

test.each(['yes', 'True', '', 1, 0, null])('is_hazardous sent as %j is refused', async (is_hazardous) => {
  await refusedByBoth(
    await newAccount(service),
    { product_lines: [{ ...line(), product: { sku: 's', is_hazardous } }] },
    ['/product_lines/0/product/is_hazardous'],
  )
})

test('an unknown field is named, not ignored', async () => {
  await refusedByBoth(await newAccount(service), { supplier_name: 'Fabrika', id: 7 }, ['/supplier_name', '/id'])
})

test('an order has at most six custom parameters, a product any number', async () => {
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

test('an existing reference is refused, and its order is unchanged', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'first', product_lines: [line()] })
  const before = (await account.call('listPurchaseOrders')).text
  const again = await create(account, { reference: 'P', supplier_id: 'second', product_lines: [line()] })
  expect(again).toBeRefused('purchase_order_exists')
  expect(again.headers.get('location')).toBeNull()
  expect((await account.call('listPurchaseOrders')).text).toBe(before)
  expect(await historyOf(service.db, account, 'P')).toHaveLength(1)
})

test('references that differ only in case, width or accents are different orders', async () => {
  const account = await newAccount(service)
  const references = ['po-e', 'PO-E', 'po-é', 'po-e\u0301', 'po-e ', ' po-e', 'ｐｏ-e']
  for (const reference of references) {
    expect((await create(account, { reference, product_lines: [line()] })).status).toBe(201)
  }
  for (const reference of references) expect((await orderOf(account, reference)).po_number).toBe(reference)
})
