import { expect, test } from 'vitest'
import { type Line, line, newAccount, type TestAccount } from '../support/account.js'
import { startService } from '../support/service.js'

const service = await startService()

test('the log of a new account begins with the account and its key', async () => {
  const account = await newAccount(service)
  expect(await revisionsOf(account)).toEqual({ revision: 2 })
  expect(await logOf(account)).toEqual([
    `1 command-line account ${account.slug} created`,
    `2 command-line key ${account.key_id} created`,
  ])
})

test('each write that changes something raises the revision by one, however much it changes', async () => {
  const account = await newAccount(service)
  const { call, forwarder, key_id } = account
  await call('createPurchaseOrder', { body: { reference: 'PO-1', product_lines: [line({ reference: '1' })] } })
  expect(await revisionsOf(account)).toEqual({ revision: 3, purchase_order_revision: 3 })

  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1' } },
    { kind: 'shipment', data: { svc_shipment_id: 'S-2' } },
    { kind: 'location', data: { id: 1 } },
  )
  expect(await revisionsOf(account)).toEqual({
    revision: 4,
    purchase_order_revision: 3,
    shipment_revision: 4,
    location_revision: 4,
  })

  await call('updatePurchaseOrder', { body: { reference: 'PO-1', supplier_id: 'Fabrika' } })
  expect(await revisionsOf(account)).toMatchObject({ revision: 5, purchase_order_revision: 5, shipment_revision: 4 })

  expect((await logOf(account)).slice(2)).toEqual([
    `3 key:${key_id} purchase_order PO-1 created`,
    '4 test location 1 created',
    '4 test shipment S-1 created',
    '4 test shipment S-2 created',
    `5 key:${key_id} purchase_order PO-1 updated`,
  ])
})

test('what a write derives elsewhere is in the log under the same revision, and raises the revision of its kind', async () => {
  const account = await newAccount(service)
  const { forwarder } = account
  await forwarder.anAssignedOrder()
  const [order] = (await account.call('listPurchaseOrders')).body
  const shipment = order?.purchase_order_lines[0]?.assigned_order_lines?.[0]?.svc_shipment_id as string

  await forwarder.imports({ kind: 'invoice', data: { reference: 'I-1', number: 'F-1', svc_shipment_id: shipment } })
  expect((await logOf(account)).filter((entry) => entry.startsWith('4 '))).toEqual([
    '4 test invoice I-1 created',
    `4 test shipment ${shipment} derived`,
  ])
  expect(await revisionsOf(account)).toMatchObject({
    revision: 4,
    invoice_revision: 4,
    shipment_revision: 4,
    purchase_order_revision: 3,
  })

  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: shipment, status: 'finished' } })
  expect((await logOf(account)).filter((entry) => entry.startsWith('5 '))).toEqual([
    `5 test purchase_order ${order?.po_number} derived`,
    `5 test shipment ${shipment} updated`,
  ])
  expect(await revisionsOf(account)).toMatchObject({ revision: 5, shipment_revision: 5, purchase_order_revision: 5 })
})

test('a write that changes nothing raises nothing and is not in the log', async () => {
  const account = await newAccount(service)
  const { call, forwarder } = account
  const product_lines = [line({ reference: '1' })]
  await call('createPurchaseOrder', { body: { reference: 'PO-1', supplier_id: 'Fabrika', product_lines } })
  const lines: Line[] = [{ kind: 'shipment', data: { svc_shipment_id: 'S-1' } }]
  await forwarder.imports(...lines)
  const before = { revisions: await revisionsOf(account), log: await logOf(account) }

  expect((await call('updatePurchaseOrder', { body: { reference: 'PO-1', supplier_id: 'Fabrika' } })).status).toBe(200)
  expect((await call('updatePurchaseOrder', { body: { reference: 'PO-1', product_lines } })).status).toBe(200)
  await forwarder.imports(...lines)
  expect({ revisions: await revisionsOf(account), log: await logOf(account) }).toEqual(before)
})

test('a write that is refused raises nothing and is not in the log', async () => {
  const account = await newAccount(service)
  const { call, forwarder } = account
  const { reference } = await forwarder.anAssignedOrder()
  const before = { revisions: await revisionsOf(account), log: await logOf(account) }
  const body = { reference, product_lines: [line()] }
  expect(await call('createPurchaseOrder', { body })).toBeRefused('purchase_order_exists')
  expect(await call('createPurchaseOrder', { body, idempotencyKey: 'again' })).toBeRefused('purchase_order_exists')
  expect(await call('updatePurchaseOrder', { body })).toBeRefused('purchase_order_assigned')
  expect(await call('updatePurchaseOrder', { body: { ...body, reference: 'none' } })).toBeRefused(
    'purchase_order_not_found',
  )
  expect((await forwarder.triesToImport({ kind: 'tracking', data: { svc_shipment_id: 'none' } })).outcome.kept).toBe(
    false,
  )
  expect({ revisions: await revisionsOf(account), log: await logOf(account) }).toEqual(before)
})

test('every version of an order is kept, as it was sent', async () => {
  const account = await newAccount(service)
  const { call } = account
  const versions = [1, 2, 3].map((quantity) => ({
    reference: 'PO-1',
    product_lines: [
      { ...line({ reference: '1', ordered_quantity: quantity }), volume: 2.5, volume_unit: 'cbm' as const },
    ],
  }))
  const [first, ...later] = versions
  if (first) await call('createPurchaseOrder', { body: first })
  for (const body of later) await call('updatePurchaseOrder', { body })
  const rows = await service.db<{ record: string }[]>`
    select record from changes where account_id = ${account.id} and kind = 'purchase_order' order by revision`
  expect(rows.map(({ record }) => JSON.parse(record) as unknown)).toEqual(versions)
})

/** Those that are not 0. */
async function revisionsOf({ id }: TestAccount): Promise<Record<string, number>> {
  const [row] = await service.db<Record<string, number>[]>`select * from accounts where account_id = ${id}`
  const entries = Object.entries(row ?? {})
  return Object.fromEntries(
    entries.filter(([name, value]) => name === 'revision' || (name.endsWith('_revision') && value > 0)),
  )
}

async function logOf({ id }: TestAccount): Promise<string[]> {
  const rows = await service.db<{ entry: string }[]>`
    select revision || ' ' || author || ' ' || kind || ' ' || id || ' ' || what as entry
    from changes where account_id = ${id} order by revision, kind, id`
  return rows.map(({ entry }) => entry)
}
