import { expect, test } from 'vitest'
import { type Cell, textOf } from '../../../src/spreadsheet/cell.js'
import { openCsv } from '../../../src/spreadsheet/csv-reader.js'
import { openXlsx } from '../../../src/spreadsheet/xlsx-reader.js'
import { newAccount } from '../../support/account.js'
import { everyShipment, generatedAccount } from '../../support/generated-account.js'
import { newPerson } from '../../support/portal.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function rowsOf(rows: AsyncIterable<{ cells: Cell[] }> | Iterable<{ cells: Cell[] }>): Promise<Cell[][]> {
  const all: Cell[][] = []
  for await (const { cells } of rows) all.push(cells)
  return all
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

test('all search results are exported as CSV and as XLSX, in the order of the list', async () => {
  const account = await generatedAccount(service, 130, 'portal export')
  const { ask } = await newPerson(service, account, 'viewer')
  const found = (await everyShipment(account))
    .filter(({ status }) => status === 'in_progress' || status === 'finished')
    .map(({ svc_shipment_id }) => svc_shipment_id)
  expect(found.length).toBeGreaterThan(60)
  const query = { status: 'in_progress,finished' }

  const csv = await ask('exportShipments', { query: { ...query, format: 'csv' } })
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="shipments-\d{4}-\d\d-\d\d\.csv"/)
  expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [table] = await openCsv(once(csv.bytes))
  const csvRows = await rowsOf(table?.rows ?? [])
  expect(csvRows.map(([id]) => id)).toEqual(found)

  const xlsx = await ask('exportShipments', { query: { ...query, format: 'xlsx' } })
  const [sheet] = await openXlsx(xlsx.bytes)
  expect(sheet?.name).toBe('Shipments')
  expect(sheet?.header).toEqual(table?.header)
  const xlsxRows = await rowsOf(sheet?.rows ?? [])
  const shown = (cell: Cell | undefined) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : textOf(cell))
  expect(xlsxRows.map((row) => row.map(shown))).toEqual(
    csvRows.map((row) => row.map((cell) => shown(cell).replace(/^'/, ''))),
  )
})

test('the header of an export is in the language of the person', async () => {
  const { ask } = await newPerson(service, await newAccount(service))
  await ask('updatePerson', { body: { language: 'fr' } })
  const { text } = await ask('exportShipments', { query: { format: 'csv' } })
  expect(text.slice(1).split(',').slice(0, 3)).toEqual(['Expédition', 'Nom', 'Statut'])
})

test('no cell of a CSV is a formula; in a workbook texts are texts', async () => {
  const account = await newAccount(service)
  const names = [
    '=1+1',
    '+cmd',
    '-2+3',
    '@SUM(A1)',
    ' =1',
    '\t=2',
    '＝3',
    'a=b',
    'quote " and, comma; <b>&amp;\u0001',
    // Where a semicolon separates cells, as in much of Europe, quoting with commas has no effect.
    "x;=cmd|' /C calc'!A0",
    'PO-1; @SUM(A1)',
    'two lines\n=3',
    '-12.5',
  ]
  await account.forwarder.imports(
    ...names.map((name, index) => ({ kind: 'shipment' as const, data: { svc_shipment_id: `S-${index}`, name } })),
  )
  const { ask } = await newPerson(service, account)
  const { bytes, text } = await ask('exportShipments', { query: { format: 'csv' } })
  expect(text).not.toMatch(/(?:^|[,;\n"])\s*(?!-12\.5)[=+@＝-]/)
  for (const cell of ["'=1+1", "'-2+3", "'=1", "'＝3", 'a=b', '-12.5']) expect(text).toContain(`,${cell},`)
  expect(text).toContain(`,"x;'=cmd|' /C calc'!A0",`)
  const [table] = await openCsv(once(bytes))
  const cells = new Map((await rowsOf(table?.rows ?? [])).map(([id, name]) => [id, name]))
  // An import by Waybill restores the original text.
  for (const [index, name] of names.entries()) expect(cells.get(`S-${index}`)).toBe(name.trim())

  const workbook = await ask('exportShipments', { query: { format: 'xlsx' } })
  const [sheet] = await openXlsx(workbook.bytes)
  const texts = new Map((await rowsOf(sheet?.rows ?? [])).map(([id, name]) => [id, name]))
  expect(texts.get('S-0')).toBe('=1+1')
  // Control characters are invalid in XML.
  expect(texts.get('S-8')).toBe('quote " and, comma; <b>&amp;')
})

test('an unknown format or filter is refused with its pointer', async () => {
  const { ask } = await newPerson(service, await newAccount(service))
  for (const [query, pointer] of [
    [{}, '/format'],
    [{ format: 'pdf' }, '/format'],
    [{ format: 'csv', status: 'lost' }, '/status'],
    [{ format: 'csv', take: 3 }, '/take'],
  ] as const) {
    const response = await ask('exportShipments', { query: query as never })
    expect(response).toBeRefused('invalid_request')
    expect(response.problem.errors?.map((each) => each.pointer)).toContain(pointer)
  }
})
