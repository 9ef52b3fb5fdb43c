import { expect, test } from 'vitest'
import { line, newAccount } from '../../support/account.js'
import { create, historyOf, orderOf, update } from '../../support/orders.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('an assigned order refuses changes', async () => {
  const { call, forwarder } = await newAccount(service)
  const { reference } = await forwarder.anAssignedOrder()
  const before = await call('getPurchaseOrder', { params: { reference } })
  expect(await call('updatePurchaseOrder', { body: { reference, product_lines: [line()] } })).toBeRefused(
    'purchase_order_assigned',
  )
  expect((await call('getPurchaseOrder', { params: { reference } })).text).toBe(before.text)
})

test('an update replaces all lines, and keeps fields that it does not contain', async () => {
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
  const response = await update(account, {
    reference: 'P',
    product_lines: [line({ sku: 'new', ordered_quantity: 1 }), line({ reference: 'a', ordered_quantity: 2 })],
  })
  expect(response.status).toBe(200)
  expect(response.body).toEqual({ reference: 'P' })
  expect(response.headers.get('location')).toBeNull()
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
  const [, updated] = await historyOf(service.db, account, 'P')
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

test('an update of an unknown order is a 404, and creates nothing', async () => {
  const account = await newAccount(service)
  const other = await newAccount(service)
  await create(other, { reference: 'P', product_lines: [line()] })
  expect(await update(account, { reference: 'P', product_lines: [line()] })).toBeRefused('purchase_order_not_found')
  expect((await account.call('listPurchaseOrders')).body).toEqual([])
  expect(await historyOf(service.db, other, 'P')).toHaveLength(1)
})

test('an assigned order refuses every update, even one without a change', async () => {
  const account = await newAccount(service)
  const { reference } = await account.forwarder.anAssignedOrder()
  const before = (await account.call('getPurchaseOrder', { params: { reference } })).text
  for (const body of [{ supplier_id: 'x' }, { product_lines: [line({ reference: '1' })] }, {}]) {
    expect(await update(account, { reference, ...body })).toBeRefused('purchase_order_assigned')
  }
  expect((await account.call('getPurchaseOrder', { params: { reference } })).text).toBe(before)
})

test('every version of an order is stored with its revision and author', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'one', product_lines: [line()] })
  await create(account, { reference: 'Q', product_lines: [line()] })
  await update(account, { reference: 'P', supplier_id: 'two' })
  await account.forwarder.imports({
    kind: 'purchase_order',
    data: { reference: 'P', supplier_id: 'three', product_lines: [line()] },
  })
  const history = await historyOf(service.db, account, 'P')
  expect(history.map(({ what, author, record }) => [what, author, record.supplier_id])).toEqual([
    ['created', `key:${account.key_id}`, 'one'],
    ['updated', `key:${account.key_id}`, 'two'],
    ['updated', 'test', 'three'],
  ])
  // The first two created the account and its key.
  expect(history.map(({ revision }) => revision)).toEqual([3, 5, 6])
})

test('an update without a change creates no version', async () => {
  const account = await newAccount(service)
  await create(account, { reference: 'P', supplier_id: 'one', product_lines: [line()] })
  for (const body of [{}, { supplier_id: 'one' }, { product_lines: [line()] }]) {
    expect((await update(account, { reference: 'P', ...body })).status).toBe(200)
  }
  expect(await historyOf(service.db, account, 'P')).toHaveLength(1)
})
