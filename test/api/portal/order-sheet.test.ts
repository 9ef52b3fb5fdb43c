import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newPerson } from '../../support/person.js'
import { binaryFiles, zip } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'
import { xlsxOf } from '../../support/tables.js'

const service = await startService()

async function newBuyer(role: 'admin' | 'member' | 'viewer' = 'member') {
  const account = await newAccount(service)
  const person = await newPerson(service, account, role)
  async function orders() {
    return (await account.call('listPurchaseOrders')).body
  }
  async function revision(): Promise<number> {
    const [row] = await service.db<
      { revision: number }[]
    >`select revision from accounts where account_id = ${account.id}`
    return row?.revision ?? -1
  }
  const check = (bytes: string | Buffer, name = 'orders.csv') => person.sendFile('checkOrderSheet', { name, bytes })
  const save = (bytes: string | Buffer, name = 'orders.csv') => person.sendFile('saveOrderSheet', { name, bytes })
  return { ...account, ...person, account, orders, revision, check, save }
}

const header = 'reference,supplier_id,product_lines.product.sku,product_lines.ordered_quantity,desired_delivery_date'

test('the template is an XLSX file that can be uploaded unchanged', async () => {
  const { portal, check, save, call } = await newBuyer()
  const template = await portal('getOrderSheetTemplate')
  expect(template.headers.get('content-disposition')).toContain('filename="purchase-orders.xlsx"')
  expect(template.headers.get('content-length')).toBe(String(template.bytes.length))
  const { body } = await check(template.bytes, 'template.xlsx')
  expect(body).toMatchObject({ row_count: 1, order_count: 1, faults: [], fault_count: 0, unread_sheets: [] })
  expect(body.rows[0]).toMatchObject({ row: 2, sheet: 'purchase_orders' })
  expect((await save(template.bytes, 'template.xlsx')).body).toEqual({ created: ['EXAMPLE-PO-1'] })
  const order = await call('getPurchaseOrder', { params: { reference: 'EXAMPLE-PO-1' } })
  expect(order.body).toEqual({
    po_number: 'EXAMPLE-PO-1',
    supplier_name: 'Example Lighting',
    purchase_order_lines: [
      {
        reference: '10',
        product: {
          sku: 'LAMP-0042',
          name: 'Desk lamp',
          hs_code: '940521',
          description: 'Desk lamp with a clamp, black',
          is_hazardous: 'true',
          hazardous_description: 'UN3481',
        },
        ordered_quantity: 1200,
        unit_price: { amount: 14.9, currency: 'USD' },
        assigned_order_lines: [],
      },
    ],
    desired_ex_factory_date: '2026-02-02',
    desired_delivery_date: '2026-03-20',
    custom_parameters: [{ name: 'season', value: 'spring' }],
  })
})

test('a row is a line, and rows with the same reference are one order: with a byte order mark, semicolons and CRLF', async () => {
  const { check, save, orders, revision } = await newBuyer()
  const file = `\uFEFF${`${header}
PO-1,Müller & Söhne,LAMP-1,12,2026-04-01
PO-1,,LAMP-2,0.5,
,,LAMP-3,7,
PO-2,,"LAMP,4",1,`
    .replaceAll(',', ';')
    .replaceAll('\n', '\r\n')}\r\n`
  const before = await revision()
  const checked = await check(file)
  expect(checked.body).toEqual({
    columns: header.split(','),
    rows: [
      { row: 2, cells: ['PO-1', 'Müller & Söhne', 'LAMP-1', '12', '2026-04-01'] },
      { row: 3, cells: ['PO-1', '', 'LAMP-2', '0.5', ''] },
      { row: 4, cells: ['', '', 'LAMP-3', '7', ''] },
      { row: 5, cells: ['PO-2', '', 'LAMP;4', '1', ''] },
    ],
    row_count: 4,
    order_count: 2,
    faults: [],
    fault_count: 0,
    unknown_columns: [],
    fields: expect.arrayContaining(header.split(',')),
    warnings: [],
    unread_sheets: [],
  })
  expect(await revision()).toBe(before)
  expect((await save(file)).body).toEqual({ created: ['PO-1', 'PO-2'] })
  const found = await orders()
  expect(found.map(({ po_number }) => po_number)).toEqual(['PO-1', 'PO-2'])
  expect(found[0]).toMatchObject({ supplier_name: 'Müller & Söhne', desired_delivery_date: '2026-04-01' })
  expect(
    found[0]?.purchase_order_lines.map((line) => [line.reference, line.product.sku, line.ordered_quantity]),
  ).toEqual([
    ['1', 'LAMP-1', 12],
    ['2', 'LAMP-2', 0.5],
    ['3', 'LAMP-3', 7],
  ])
})

test('an upload may be tab-separated with quoted headings, and a misspelled heading gets a suggestion', async () => {
  const { check, save, orders } = await newBuyer()
  const quoted = header.split(',').map((name) => `"${name}"`)
  const file = `${quoted.join('\t')}\r\nPO-1\tAcme, Inc.\tLAMP;1\t12\t\r\n`
  expect((await check(file, 'orders.tsv')).body).toMatchObject({
    columns: header.split(','),
    rows: [{ row: 2, cells: ['PO-1', 'Acme, Inc.', 'LAMP;1', '12', ''] }],
    faults: [],
  })
  expect((await save(file, 'orders.tsv')).body).toEqual({ created: ['PO-1'] })
  expect(await orders()).toMatchObject([{ po_number: 'PO-1', supplier_name: 'Acme, Inc.' }])

  const { body } = await check(file.replace('reference', 'refrence').replace('product_lines.product.sku', 'SKUs'))
  expect(body.faults.map(({ column, detail }) => `${column} ${detail}`)).toEqual([
    'reference is required, and not in the header',
    'refrence is not a column of purchase_orders; did you mean `reference`?',
    'SKUs is not a column of purchase_orders; did you mean `product_lines.product.sku`?',
  ])
})

test('headings that are not recognised are listed, and can be assigned or ignored; dates get the stated order', async () => {
  const { sendFile, orders } = await newBuyer()
  const bytes = 'PO number,Code,Qté,Shelf,Delivery date\nPO-1,LAMP-1,"2,5",A7,05/11/2026\n'
  const file = { name: 'orders.csv', bytes }
  const open = (await sendFile('checkOrderSheet', file)).body
  expect(open.unknown_columns).toEqual(['Code', 'Shelf'])
  expect(open.fields).toContain('product_lines.product.sku')
  expect(open.fault_count).toBeGreaterThan(0)
  const columns = JSON.stringify({ Code: 'product_lines.product.sku', Shelf: '' })
  const undated = (await sendFile('checkOrderSheet', file, { columns })).body
  expect(undated.unknown_columns).toEqual([])
  expect(undated.faults.map(({ column, detail }) => `${column} ${detail.slice(0, 37)}`)).toEqual([
    'desired_delivery_date could have the day or the month first',
  ])
  const query = { columns, dates: 'day-month' }
  const checked = (await sendFile('checkOrderSheet', file, query)).body
  expect(checked).toMatchObject({ fault_count: 0, order_count: 1 })
  expect(checked.warnings[0]).toMatchObject({ row: 2, detail: '2,5 was read as 2.5' })
  expect((await sendFile('saveOrderSheet', file, query)).body).toEqual({ created: ['PO-1'] })
  expect(await orders()).toMatchObject([
    {
      desired_delivery_date: '2026-11-05',
      purchase_order_lines: [{ product: { sku: 'LAMP-1' }, ordered_quantity: 2.5 }],
    },
  ])
  for (const wrong of ['[', '[]', '{"Code":"colour"}', '{"Code":7}']) {
    const refused = await sendFile('checkOrderSheet', file, { columns: wrong })
    expect(refused.problem.errors?.[0]?.pointer, wrong).toBe('/columns')
  }
})

test('every fault has its row and column, and nothing is created', async () => {
  const { check, save, orders, revision } = await newBuyer()
  const file = `${header},product_lines.reference,Colour
PO-1,,LAMP-1,twelve,2026-02-30,1,red
PO-2,,LAMP-1,"1,200",,1,
PO-2,,,0,,1,
PO-3,Acme,LAMP-1,1,,,
PO-3,Other,LAMP-2,1,,,
PO-4,,,,,,
PO-1,,LAMP-1,1,,,
,,,,,,,lost
`
  const { body } = await check(file)
  expect(body.columns).toEqual([...header.split(','), 'product_lines.reference', 'Colour', 'H'])
  expect(body.faults).toEqual([
    { row: 1, column: 'Colour', detail: 'is not a column of purchase_orders; the template has all columns' },
    { row: 2, column: 'product_lines.ordered_quantity', detail: 'must be a number' },
    { row: 2, column: 'desired_delivery_date', detail: 'must be an existing date in the format YYYY-MM-DD' },
    {
      row: 3,
      column: 'product_lines.ordered_quantity',
      detail: 'must be a number written like 1234.5: a point before the decimals, and nothing between the thousands',
    },
    { row: 4, column: 'product_lines.product.sku', detail: 'is required' },
    { row: 4, column: 'product_lines.ordered_quantity', detail: 'must be greater than 0' },
    {
      row: 4,
      column: 'product_lines.reference',
      detail: 'must differ from the references of the other lines',
    },
    { row: 6, column: 'supplier_id', detail: 'differs from row 5 of the same record' },
    { row: 7, column: 'product_lines.ordered_quantity', detail: 'is required' },
    { row: 8, column: 'reference', detail: 'is already in row 2: the rows of one record must follow each other' },
    { row: 9, column: 'H', detail: 'has a value, but its column has no name in row 1' },
  ])
  expect(body).toMatchObject({ row_count: 8, order_count: 5, fault_count: 11 })
  expect(body.rows.find(({ row }) => row === 9)?.cells).toEqual(['', '', '', '', '', '', '', 'lost'])

  const before = await revision()
  const refused = await save(file)
  expect(refused).toBeRefused('import_rejected')
  expect(refused.problem.errors).toHaveLength(11)
  expect(refused.problem.errors?.[1]).toEqual({
    pointer: '/2/product_lines.ordered_quantity',
    detail: 'row 2, column D (product_lines.ordered_quantity): must be a number',
  })
  expect(refused.problem.detail).toContain('(and 10 more)')
  expect(await revision()).toBe(before)
  expect(await orders()).toEqual([])
})

test('a file without a required column is refused with the name of the column', async () => {
  const { check } = await newBuyer()
  const { body } = await check('supplier_id,product_lines.product.sku\nAcme,LAMP-1\n')
  expect(body.faults).toEqual([{ row: 1, column: 'reference', detail: 'is required, and not in the header' }])
  expect(body.rows).toEqual([{ row: 2, cells: ['Acme', 'LAMP-1'] }])
  expect(body).toMatchObject({ row_count: 1, order_count: 0 })
})

test('an existing order is a fault, and is never changed', async () => {
  const { call, check, save, orders } = await newBuyer()
  const other = await newBuyer()
  for (const [buyer, reference] of [
    [{ call }, 'PO-1'],
    [other, 'PO-2'],
  ] as const) {
    const body = { reference, product_lines: [{ ordered_quantity: 3, product: { sku: 'OLD' } }] }
    expect((await buyer.call('createPurchaseOrder', { body })).status).toBe(201)
  }
  const file = `${header}\nPO-2,,NEW,1,\nPO-1,,NEW,1,\n`
  const taken = 'already exists: existing orders are not changed'
  expect((await check(file)).body.faults).toEqual([{ row: 3, column: 'reference', detail: taken }])
  const refused = await save(file)
  expect(refused).toBeRefused('import_rejected')
  expect(refused.problem.errors).toEqual([{ pointer: '/3/reference', detail: `row 3, column A (reference): ${taken}` }])
  expect((await orders()).map((order) => [order.po_number, order.purchase_order_lines[0]?.product.sku])).toEqual([
    ['PO-1', 'OLD'],
  ])
  expect((await other.orders()).map(({ po_number }) => po_number)).toEqual(['PO-2'])
})

test('two concurrent uploads of the same file create every order once', async () => {
  const { save, orders, id } = await newBuyer()
  const rows = Array.from({ length: 700 }, (_, index) => `PO-${index},Acme,LAMP-1,${index + 1},`)
  const file = [header, ...rows].join('\n')
  const responses = await Promise.all([save(file), save(file)])
  const [good, bad] = responses.toSorted((one, other) => one.status - other.status)
  expect(good?.status).toBe(200)
  expect(good?.body.created).toHaveLength(700)
  expect(bad).toBeRefused('import_rejected')
  expect(await orders()).toHaveLength(700)
  const [changes] = await service.db<{ count: number; revisions: number }[]>`
    select count(*) as count, count(distinct revision) as revisions from changes
    where account_id = ${id} and kind = 'purchase_order'`
  expect(changes).toEqual({ count: 700, revisions: 1 })
})

test('created orders have their author in the change log, and are visible on the public interface at once', async () => {
  const { save, id, person_id, call } = await newBuyer()
  const before = await call('listPurchaseOrders')
  await save(`${header}\nPO-1,,LAMP-1,2,\n`)
  const [change] = await service.db<{ author: string; what: string }[]>`
    select author, what from changes where account_id = ${id} and kind = 'purchase_order' and id = 'PO-1'`
  expect(change).toEqual({ author: `person:${person_id}`, what: 'created' })
  const ifNoneMatch = before.headers.get('etag') as string
  expect((await call('listPurchaseOrders', { ifNoneMatch })).body).toMatchObject([{ po_number: 'PO-1' }])
})

test('a preview has the first 200 rows, and all rows with faults', async () => {
  const { check } = await newBuyer()
  const rows = Array.from({ length: 300 }, (_, index) => `PO-${index},,LAMP-1,${index === 279 ? 'x' : 1},`)
  const { body } = await check([header, ...rows].join('\n'))
  expect(body.rows.map(({ row }) => row)).toEqual([...Array.from({ length: 200 }, (_, index) => index + 2), 281])
  expect(body).toMatchObject({ row_count: 300, order_count: 300, fault_count: 1 })
})

test('all sheets with known columns are read; dates are dates, and faults name the sheet', async () => {
  const { check, save, orders } = await newBuyer()
  const day = { value: new Date('2026-03-04T00:00:00Z'), format: 'dd/mm/yyyy' }
  const file = (quantity: unknown) =>
    xlsxOf([
      { sheet: 'Read me', data: [['Fill in the others']] },
      {
        sheet: 'North',
        data: [
          ['Reference', 'product_lines.product.sku', 'product_lines.ordered_quantity', 'desired_ex_factory_date'],
          ['PO-1', 'LAMP-1', 1, day],
        ],
      },
      {
        sheet: 'South',
        data: [
          ['product_lines.ordered_quantity', 'reference', 'product_lines.product.sku', 'supplier_id'],
          [quantity, 4711, 'LAMP-2', 'Acme'],
        ],
      },
    ])
  const { body } = await check(await file('many'), 'orders.xlsx')
  expect(body.faults).toEqual([
    { sheet: 'South', row: 2, column: 'product_lines.ordered_quantity', detail: 'must be a number' },
  ])
  expect(body.unread_sheets).toEqual(['Read me'])
  expect(body.columns).toEqual([
    'reference',
    'product_lines.product.sku',
    'product_lines.ordered_quantity',
    'desired_ex_factory_date',
    'supplier_id',
  ])
  expect(body.rows).toEqual([
    { sheet: 'North', row: 2, cells: ['PO-1', 'LAMP-1', '1', '2026-03-04', ''] },
    { sheet: 'South', row: 2, cells: ['4711', 'LAMP-2', 'many', '', 'Acme'] },
  ])
  expect((await save(await file(3), 'orders.xlsx')).body).toEqual({ created: ['PO-1', '4711'] })
  expect((await orders()).find(({ po_number }) => po_number === 'PO-1')?.desired_ex_factory_date).toBe('2026-03-04')
})

const wide = Array.from({ length: 120 }, (_, index) => `column ${index}`).join(',')
const bomb = zip([['xl/workbook.xml', ' '.repeat(33 * 1024 * 1024)]])
const unreadable: [string, string | Buffer, string][] = [
  ['an empty file', '', 'is empty'],
  ['a file with headings alone', `${header}\n\n`, 'has no row below its headings'],
  ['a picture', binaryFiles.png as Buffer, 'is neither CSV nor XLSX'],
  ['a PDF', binaryFiles.pdf as Buffer, 'is neither CSV nor XLSX'],
  ['an old workbook', binaryFiles.xls as Buffer, 'is an XLS file, or has a password: save it as XLSX or CSV'],
  ['another archive', binaryFiles.odt as Buffer, 'is not a readable XLSX file'],
  ['a zip bomb', bomb, 'holds more than 32 MiB; save it as CSV'],
  ['text of another encoding', Buffer.from(`${header}\nPO-1,Müller,A,1,\n`, 'latin1'), 'is not UTF-8: save it as'],
  ['UTF-16', Buffer.from(`\uFEFF${header}\nPO-1,A,A,1,\n`, 'utf16le'), 'is not UTF-8: save it as'],
  ['a quote that is not closed', `${header}\n"PO-1,,A,1,\n`, 'is not valid CSV'],
  ['too many columns', `${wide}\n1\n`, 'has more than 100 columns'],
  ['too many rows', `${header}\n${'PO-1,,A,1,\n'.repeat(20_001)}`, 'has more than 20000 rows'],
]

test.each(unreadable)('%s is refused with a reason and not read as a table', async (_, bytes, detail) => {
  const { check, save, revision } = await newBuyer()
  const before = await revision()
  for (const result of [await check(bytes), await save(bytes)]) {
    expect(result).toBeRefused('invalid_request')
    expect(result.problem.errors).toEqual([{ pointer: '/file', detail: expect.stringContaining(detail) }])
  }
  expect(await revision()).toBe(before)
})

test('a file of more than 10 MiB is refused', async () => {
  const { check } = await newBuyer()
  expect(await check(`${header}\n${' '.repeat(10 * 1024 * 1024)}`)).toBeRefused('payload_too_large')
})

test('the response for a file full of faults has a bounded length', async () => {
  const { check } = await newBuyer()
  const rows = Array.from({ length: 8000 }, (_, index) => `PO-${index},,,x,y`)
  const { body, text } = await check([header, ...rows].join('\n'))
  expect(body).toMatchObject({ row_count: 8000, fault_count: 24_000 })
  expect(body.faults).toHaveLength(5000)
  const long = await check(`${header}\nPO-1,${'x'.repeat(3_000_000)},A,1,\n`)
  expect(long.body.faults).toEqual([{ row: 2, column: 'supplier_id', detail: 'must have at most 255 characters' }])
  expect(long.body.rows[0]?.cells[1]).toBe(`${'x'.repeat(500)}…`)
  expect(text.length + long.text.length).toBeLessThan(2_000_000)
})

test('a viewer may download the template, but neither check nor save a file; a visitor may do nothing', async () => {
  const { portal, check, save, orders } = await newBuyer('viewer')
  const file = `${header}\nPO-1,,LAMP-1,2,\n`
  expect((await portal('getOrderSheetTemplate')).status).toBe(200)
  expect(await check(file)).toBeRefused('insufficient_role')
  expect(await save(file)).toBeRefused('insufficient_role')
  expect(await orders()).toEqual([])
  for (const path of ['check', 'sheet']) {
    const form = new FormData()
    form.set('file', new Blob([file]), 'orders.csv')
    const response = await fetch(`${service.baseUrl}/portal/v1/purchase-orders/${path}`, { method: 'POST', body: form })
    expect(response.status).toBe(401)
  }
})

test('uploads whose clients have gone leave the queue, and their reading is stopped', async () => {
  const { check, headers } = await newBuyer()
  const row = '<row r="1"><c r="A1"><v>1</v></c></row>'
  const slow = zip([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'],
    ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${row.repeat(800_000)}</sheetData></worksheet>`],
  ])
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(slow)]), 'orders.xlsx')
  const address = `${service.baseUrl}/portal/v1/purchase-orders/check`
  const clients = new AbortController()
  // More than an account may have waiting: once one is refused, the queue is full.
  const uploads = Array.from({ length: 8 }, async () => {
    const body = fetch(address, { method: 'POST', body: form, headers, signal: clients.signal })
    return body.then(({ status }) => status).catch(() => 'gone')
  })
  expect(await Promise.race(uploads)).toBe(503)
  clients.abort()
  expect(new Set(await Promise.all(uploads))).toEqual(new Set([503, 'gone']))
  const small = `${header}\nPO-1,,LAMP-1,2,\n`
  // Reading all of them would take many times as long.
  expect(await statusAfter(() => check(small), 200)).toBe(200)
})

async function statusAfter(work: () => Promise<{ status: number }>, wanted: number): Promise<number> {
  let { status } = await work()
  for (let left = 60; left > 0 && status !== wanted; left -= 1) {
    await sleep(50)
    status = (await work()).status
  }
  return status
}
