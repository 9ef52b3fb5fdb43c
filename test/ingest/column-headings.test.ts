import { expect, test } from 'vitest'
import { columnsByHeading } from '../../src/domain/records/column-headings.js'
import { tableNames, tables } from '../../src/ingest/tables/columns.js'
import { readHeader } from '../../src/ingest/tables/header.js'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'
import { importCsv } from '../support/tables.js'

const service = await startService()

test.each(tableNames)(
  'headings of %s stand for columns that exist, and the names of the interface for themselves',
  (name) => {
    const names = tables[name].columns.map((column) => column.name)
    for (const column of columnsByHeading(name).values()) expect(names).toContain(column)
    const { places, faults } = readHeader(tables[name], { name: undefined, header: names, rows: [] })
    expect(faults).toEqual([])
    expect([...places].map(([column, index]) => [column.name, index])).toEqual(
      names.map((each, index) => [each, index]),
    )
  },
)

test.each([
  ['Order no.;Supplier;SKU;Qty;Delivery date'],
  ['N° de commande;Fournisseur;Code article;Quantité;Date de livraison'],
  ['reference;SUPPLIER_ID;product_lines.product.sku;Qté;desired delivery date'],
])('a table with the headings %s is imported', async (headings) => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'purchase_orders', account: slug } as const
  const { faults } = await importCsv(service, `${headings}\nP-1;Acme;LAMP-1;12;2027-03-20\n`, options)
  expect(faults).toEqual([])
  const { body } = await call('getPurchaseOrder', { params: { reference: 'P-1' } })
  expect(body).toMatchObject({
    supplier_name: 'Acme',
    desired_delivery_date: '2027-03-20',
    purchase_order_lines: [{ product: { sku: 'LAMP-1' }, ordered_quantity: 12 }],
  })
})

test('a heading that is not recognised is an error until it is assigned or ignored', async () => {
  const { slug, call } = await newAccount(service)
  const options = { table: 'locations', account: slug } as const
  const table = 'id,Wharf,Colour\n1,North,red\n'
  const refused = await importCsv(service, table, options)
  expect(refused.faults).toHaveLength(2)
  expect(refused.outcome.kept).toBe(false)
  const mapped = await importCsv(service, table, { ...options, mapping: { wharf: 'name', Colour: '' } })
  expect(mapped.faults).toEqual([])
  expect((await call('listLocations')).body).toEqual([{ id: 1, name: 'North' }])
  const twice = await importCsv(service, 'id,Name,Nom\n1,A,B\n', options)
  expect(twice.faults).toEqual(['row 1, column C (Nom): is the name of column B already'])
})
