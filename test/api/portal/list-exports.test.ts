import { expect, test } from 'vitest'
import { totalsOf } from '../../../src/domain/invoices/invoice-totals.js'
import { openCsv } from '../../../src/spreadsheet/csv-reader.js'
import { evaluate } from '../../support/exceptions.js'
import { generatedAccount } from '../../support/generated-account.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

const service = await startService()

type Row = Record<string, string>

test('every list is exported with exactly what the interface of systems has', async () => {
  const account = await generatedAccount(service, 40, 'exported lists')
  await evaluate(service, account.id)
  const { ask } = await newPerson(service, account, 'viewer')
  const listed = { query: { take: 1000 } }

  const { body: orders } = await account.call('listPurchaseOrders', listed)
  const orderRows = await rowsOf((await ask('exportPurchaseOrders', { query: { format: 'csv' } })).bytes)
  expect(
    orderRows.map((row) => [row.Order, row.Line, row.SKU, Number(row['Ordered quantity']), row['Wanted by']]),
  ).toEqual(
    orders.flatMap(({ po_number, purchase_order_lines, desired_delivery_date = '' }) =>
      purchase_order_lines.map(({ reference, product, ordered_quantity }) => [
        po_number,
        reference,
        product.sku ?? '',
        ordered_quantity,
        desired_delivery_date,
      ]),
    ),
  )

  const { body: invoices } = await account.call('listInvoices', listed)
  const invoiceRows = await rowsOf((await ask('exportInvoices', { query: { format: 'csv' } })).bytes)
  expect(invoiceRows.map((row) => [row.Reference, row.Currency, Number(row.Gross)])).toEqual(
    invoices.flatMap(({ reference, lines = [] }) =>
      totalsOf(lines).map(({ currency, gross }) => [reference, currency, gross]),
    ),
  )

  const { body: locations } = await account.call('listLocations')
  const locationRows = await rowsOf((await ask('exportLocations', { query: { format: 'csv' } })).bytes)
  expect(locationRows.map((row) => [Number(row.Identifier), row.City, row['E-mail address']])).toEqual(
    locations.flatMap(({ id, city = '', contacts = [] }) => contacts.map(({ email = '' }) => [id, city, email])),
  )
  const city = locations[0]?.city ?? ''
  const inCity = await rowsOf((await ask('exportLocations', { query: { format: 'csv', q: city } })).bytes)
  expect(new Set(inCity.map((row) => row.Identifier)).size).toBeGreaterThan(0)
  expect(inCity.length).toBeLessThan(locationRows.length)

  const { body: open } = await account.call('listExceptions', { query: { state: 'open', kind: 'late', take: 1000 } })
  const query = { format: 'csv', state: 'open', kind: 'late' } as const
  const exceptionRows = await rowsOf((await ask('exportExceptions', { query })).bytes)
  expect(open.length).toBeGreaterThan(0)
  expect(
    new Set(exceptionRows.map((row) => [row.Shipment, row.Kind, row.Order, row.Line, row['Days late']].join(' '))),
  ).toEqual(
    new Set(
      open.flatMap(({ svc_shipment_id = '', threatens }) =>
        (threatens.length === 0 ? [undefined] : threatens).map((threatened) =>
          [
            svc_shipment_id,
            'Late',
            threatened?.po_number ?? '',
            threatened?.line ?? '',
            String(threatened?.days_late ?? ''),
          ].join(' '),
        ),
      ),
    ),
  )
})

async function rowsOf(bytes: Uint8Array): Promise<Row[]> {
  const [table] = await openCsv(once(bytes))
  const header = table?.header ?? []
  const rows: Row[] = []
  for await (const { cells } of table?.rows ?? []) {
    rows.push(Object.fromEntries(header.map((name, index) => [name, textOf(cells[index])])))
  }
  return rows
}

function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell ?? '')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes)
}
