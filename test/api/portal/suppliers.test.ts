import { expect, test } from 'vitest'
import { line, newAccount } from '../../support/account.js'
import { everyOrder, generatedAccount } from '../../support/generated-account.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

/** The suppliers of an account's orders, for the filter of its order list. */

const service = await startService()

async function placedWith(...suppliers: (string | undefined)[]) {
  const account = await newAccount(service)
  for (const [index, supplier_id] of suppliers.entries()) {
    const body = {
      reference: `PO-${index}`,
      product_lines: [line()],
      ...(supplier_id !== undefined && { supplier_id }),
    }
    expect((await account.call('createPurchaseOrder', { body })).status).toBe(201)
  }
  return newPerson(service, account, 'viewer')
}

test('all suppliers are listed, and each finds its orders', async () => {
  const account = await generatedAccount(service, 60, 'suppliers')
  const { ask } = await newPerson(service, account, 'viewer')
  const orders = await everyOrder(account)
  const names = new Set(orders.flatMap(({ supplier_name }) => supplier_name ?? []))
  expect(names.size).toBeGreaterThan(2)
  const { body } = await ask('listSuppliers', { query: { take: 100 } })
  expect(new Set(body.suppliers)).toEqual(names)
  expect(body.suppliers).toHaveLength(names.size)
  expect(body.more).toBe(false)
  for (const supplier of body.suppliers) {
    const found = await ask('findPurchaseOrders', { query: { supplier, take: 100 } })
    const expected = orders.filter(({ supplier_name }) => supplier_name === supplier).map(({ po_number }) => po_number)
    expect(new Set(found.body.purchase_orders.map(({ po_number }) => po_number))).toEqual(new Set(expected))
  }
})

test('suppliers are listed once, sorted by name, regardless of letter case', async () => {
  const { ask } = await placedWith('Zeta', 'acme GmbH', 'Écluse SA', 'ACME GmbH', undefined, '', '—', 'Eclair')
  const { body } = await ask('listSuppliers')
  expect(body).toEqual({ suppliers: ['acme GmbH', 'Eclair', 'Écluse SA', 'Zeta'], more: false })
})

test('of many suppliers a few are listed, and any is found by its words, prefix matches first', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `Works ${String(index).padStart(2, '0')} of Hangzhou`)
  const { ask } = await placedWith(...many, 'Hangzhou Lamps')
  const suppliersOf = async (query: { q?: string; take?: number }) => (await ask('listSuppliers', { query })).body
  expect(await suppliersOf({ take: 5 })).toEqual({ suppliers: ['Hangzhou Lamps', ...many.slice(0, 4)], more: true })
  expect(await suppliersOf({ take: 13 })).toMatchObject({ more: false })
  expect(await suppliersOf({ q: 'HANG works 11' })).toEqual({ suppliers: [many[11]], more: false })
  expect(await suppliersOf({ q: 'hang', take: 3 })).toEqual({
    suppliers: ['Hangzhou Lamps', ...many.slice(0, 2)],
    more: true,
  })
  expect(await suppliersOf({ q: 'of h' })).toMatchObject({ suppliers: many })
  for (const q of ['nobody', 'angzhou', '%', '_', "'", 'works 99']) {
    expect(await suppliersOf({ q })).toMatchObject({ more: false })
  }
  expect(await suppliersOf({ q: 'angzhou' })).toEqual({ suppliers: [], more: false })
})

test('a name as long as an order allows finds its orders, and a longer one is refused', async () => {
  const name = `Long ${'name, '.repeat(60)}`.slice(0, 254).concat('Z')
  const { ask } = await placedWith(name)
  expect((await ask('listSuppliers')).body.suppliers).toEqual([name])
  expect((await ask('findPurchaseOrders', { query: { supplier: name } })).body.count.value).toBe(1)
  const account = await newAccount(service)
  const body = { reference: 'P', supplier_id: `${name}Z`, product_lines: [line()] }
  expect(await account.call('createPurchaseOrder', { body })).toBeRefused('invalid_request')
})
