import { expect, test } from 'vitest'
import { line, newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { create, orderOf, update } from '../../support/orders.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'
import { importCsv } from '../../support/tables.js'

/** The allowed references of new orders, for every way to create them. */

const service = await startService()

const detail = 'must not be blank, and must not contain control characters such as tabs and line breaks'
const refused = [
  ' ',
  '   ',
  '\u00a0',
  '\u3000\u2003',
  '\t',
  'PO\t1',
  'PO\n1',
  '\r\n',
  'PO\u0001',
  'PO\u007f',
  'PO\u0085',
  'a\u2028b',
]
const accepted = ['P', ' PO 1 ', 'PO\u00a01', 'Größe-货-🚢', '👩‍👩‍👧', '"\'\\/%#?', 'x'.repeat(255)]

test.each(refused)('an order with the reference %j is refused, naming the field', async (reference) => {
  const account = await newAccount(service)
  const response = await create(account, { reference, product_lines: [line()] })
  expect(response).toBeRefused('invalid_request')
  expect(response.problem.errors).toEqual([{ pointer: '/reference', detail }])
  const data = { reference, product_lines: [line()] }
  const { faults, outcome } = await account.forwarder.triesToImport({ kind: 'purchase_order', data })
  expect(outcome.kept).toBe(false)
  expect(faults).toEqual([{ line: 1, pointer: '/data/reference', detail }])
  expect((await account.call('listPurchaseOrders')).body).toEqual([])
})

test.each(accepted)('an order with the reference %j is created', async (reference) => {
  const account = await newAccount(service)
  expect((await create(account, { reference, product_lines: [line()] })).status).toBe(201)
  expect((await orderOf(account, reference)).po_number).toBe(reference)
})

test('a reference that is empty, too long, or contains NUL has one fault', async () => {
  const account = await newAccount(service)
  for (const [reference, words] of [
    ['', 'must not be empty'],
    ['x'.repeat(256), 'must have at most 255 characters'],
    ['PO\u0000', 'must not contain the NUL character'],
  ]) {
    const { problem } = await create(account, { reference, product_lines: [line()] })
    expect(problem.errors).toEqual([{ pointer: '/reference', detail: words }])
  }
})

test('a very long reference is validated quickly', async () => {
  const account = await newAccount(service)
  for (const reference of ['x'.repeat(3_000_000), `${'x '.repeat(1_500_000)}\n`, ' '.repeat(3_000_000)]) {
    expect(await create(account, { reference, product_lines: [line()] })).toBeRefused('invalid_request')
  }
})

test('tables and order sheets refuse an invalid reference with its cell', async () => {
  const account = await newAccount(service)
  const csv = 'reference,product_lines.product.sku,product_lines.ordered_quantity\n"PO\n1",LAMP,1\n'
  const { faults, outcome } = await importCsv(service, csv, { table: 'purchase_orders', account: account.slug })
  expect(outcome.kept).toBe(false)
  expect(faults).toEqual([`row 2, column A (reference): ${detail}`])

  const { sendFile } = await newPerson(service, account, 'member')
  const checked = await sendFile('checkOrderSheet', { name: 'orders.csv', bytes: csv })
  expect(checked.body.faults).toEqual([{ row: 2, column: 'reference', detail }])
  const saved = await sendFile('saveOrderSheet', { name: 'orders.csv', bytes: csv })
  expect(saved).toBeRefused('import_rejected')
  expect((await account.call('listPurchaseOrders')).body).toEqual([])
})

test('an existing order with an invalid reference is still listed, read, updated and shown to operators', async () => {
  const account = await newAccount(service)
  const reference = ' \t '
  await create(account, { reference: 'PO-1', product_lines: [line({ reference: '1' })] })
  // As stored when such references were accepted.
  const { db } = service
  await db`
    update changes set id = ${reference}, record = replace(record, '"PO-1"', '" \\t "')
    where account_id = ${account.id} and kind = 'purchase_order'`
  await db`
    update purchase_orders set reference = ${reference}, body = replace(body, '"PO-1"', '" \\t "')
    where account_id = ${account.id}`
  expect((await account.call('listPurchaseOrders')).body.map(({ po_number }) => po_number)).toEqual([reference])
  expect((await orderOf(account, reference)).po_number).toBe(reference)
  expect((await update(account, { reference, supplier_id: 'Brix' })).status).toBe(200)
  expect((await orderOf(account, reference)).supplier_name).toBe('Brix')
  const { ops } = await newOperator(service)
  const params = { reference }
  expect((await ops('getPurchaseOrder', account.slug, { params })).body.record.reference).toBe(reference)
})
