import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import { file, form, formType } from '../forms.js'
import { zip } from '../sample-files.js'
import { type HostileRequest, statusOfBody } from './target.js'

/** Hostile files: spreadsheets of people, and import lines of operators. */

const mebibyte = 1024 * 1024

const relationships =
  '<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
const book = '<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'

/** A workbook with this text as its sheet. */
function workbook(sheet: string, others: [string, string][] = []): Buffer {
  return zip([
    ['xl/workbook.xml', book],
    ['xl/_rels/workbook.xml.rels', relationships],
    ['xl/worksheets/sheet1.xml', sheet],
    ...others,
  ])
}

/** Sizes and names in front of the contents differ from those of the directory. */
function disagreeing(): Buffer {
  const bytes = workbook(' '.repeat(30 * mebibyte))
  const directory = bytes.indexOf('PK\x01\x02', 0, 'latin1')
  for (let entry = directory; entry >= 0; entry = bytes.indexOf('PK\x01\x02', entry + 4, 'latin1')) {
    bytes.writeUInt32LE(10, entry + 24)
  }
  return bytes
}

const header = 'reference,supplier_id,product_lines.product.sku,product_lines.ordered_quantity'
const cells = (count: number) => '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(count)

const sheets: [name: string, status: number, content: () => Buffer | string][] = [
  ['a workbook of 8 MB of cells that do not end', 400, () => workbook('<c '.repeat(2_700_000))],
  ['a workbook with an attribute of 8 MB', 400, () => workbook(`<c ${'a'.repeat(8_000_000)}>`)],
  ['a workbook with 8 MB of attributes without values', 400, () => workbook(`<c ${'a = '.repeat(2_000_000)}>`)],
  [
    'a workbook with 1,500,000 relationships',
    400,
    () => workbook('', [['xl/x.rels', '<Relationship/>'.repeat(1_500_000)]]),
  ],
  [
    'a workbook with 700,000 cells at one place',
    400,
    () => workbook(`<worksheet><sheetData>${cells(700_000)}</sheetData></worksheet>`),
  ],
  [
    'a workbook that unpacks to 1 GB',
    400,
    () =>
      workbook(
        '',
        Array.from({ length: 32 }, (_, at) => [`xl/${at}.xml`, ' '.repeat(32 * mebibyte)]),
      ),
  ],
  ['a workbook whose directory says less than it has', 400, disagreeing],
  ['a CSV file with a header of 1,000,000 columns', 400, () => `${'a,'.repeat(1_000_000)}\n1\n`],
  ['a CSV file with a header of 2 MB in 10,000 columns', 400, () => `${`${'column'.repeat(33)},`.repeat(10_000)}\n1\n`],
  ['a CSV file with a header of 10 MB', 400, () => `${header}${'x'.repeat(9 * mebibyte)}\n1\n`],
  ['a CSV file with rows of 4,000,000 columns', 400, () => `${header}\n${`${','.repeat(4_000_000)}\n`.repeat(2)}`],
  ['a CSV file of 9 MB in quotes', 400, () => `${header}\n"${'x,\n'.repeat(3 * mebibyte)}`],
  [
    'a CSV file of 19,000 invalid rows',
    200,
    () => `${header}\n${Array.from({ length: 19_000 }, (_, at) => `${at},,,x\n`).join('')}`,
  ],
]

const ofSheets: HostileRequest[] = sheets.map(([name, status, content]) => {
  let body: Buffer | undefined
  return {
    name: `checkOrderSheet (person): ${name}`,
    status,
    send: (target) => {
      body ??= form(file('orders', content()))
      return statusOfBody(target, 'person', { path: portalOperations.checkOrderSheet.path, type: formType, body })
    },
  }
})

const invalid = '{"kind":"shipment","account":"none","data":{"svc_shipment_id":1,"unknown":1,"status":"x"}}\n'
const unknownAccount = (at: number) =>
  `{"kind":"shipment","account":"no-such-account","data":{"svc_shipment_id":"S-${at}"}}\n`
const fields = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')

const lines: [name: string, status: number, content: () => string][] = [
  ['60,000 lines that are not objects', 400, () => '1\n'.repeat(60_000)],
  ['60,000 invalid lines', 400, () => invalid.repeat(60_000)],
  [
    '60,000 lines of an unknown account',
    400,
    () => Array.from({ length: 60_000 }, (_, at) => unknownAccount(at)).join(''),
  ],
  ['a line with 400,000 unknown fields', 400, () => `{"kind":"shipment","account":"a","data":{${fields(400_000)}}}`],
  [
    'a line with an array of 2,000,000',
    400,
    () => `{"kind":"tracking","account":"a","data":{"tracking_steps":[${'1,'.repeat(2_000_000)}1]}}`,
  ],
  [
    'a tracking of 100,000 steps',
    400,
    () => `{"kind":"tracking","account":"a","data":{"tracking_steps":[${'{},'.repeat(100_000)}{}]}}`,
  ],
  ['a line of 4 MB that is not JSON', 400, () => '['.repeat(4_000_000)],
  ['a line with a field name of 4 MB', 400, () => `{"${'k'.repeat(4_000_000)}":1}`],
  ['a line of 4 MB of blanks', 400, () => ' '.repeat(4_000_000)],
  ['4,000,000 empty lines', 200, () => '\n'.repeat(4_000_000)],
]

const ofLines: HostileRequest[] = lines.map(([name, status, content]) => {
  let body: Buffer | undefined
  return {
    name: `import (operator): ${name}`,
    status,
    send: (target) => {
      body ??= Buffer.from(content())
      return statusOfBody(target, 'operator', {
        path: operatorOperations.import.path,
        type: 'application/x-ndjson',
        body,
      })
    },
  }
})

const pdfs: [name: string, content: () => string][] = [
  ['a PDF whose page tree leads to itself', () => pdf('2 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 9999999>>\nendobj\n')],
  ['a PDF with an array of 1,000,000 arrays', () => pdf(`2 0 obj\n${'['.repeat(1_000_000)}\nendobj\n`)],
  ['a PDF with ten pages of short numbers', () => pdf(pageOf(`BT /F1 9 Tf (${'a1 '.repeat(7000)}) Tj ET\n`, 10))],
  ['a PDF with a page of 8 MB of numbers', () => pdf(pageOf('BT /F1 9 Tf (MSKU1234565 ) Tj ET\n'.repeat(200_000)))],
]

function pdf(objects: string): string {
  return `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n${objects}trailer\n<</Root 1 0 R>>\n%%EOF\n`
}

function pageOf(content: string, pages = 1): string {
  return `2 0 obj\n<</Type/Pages/Kids[${'3 0 R '.repeat(pages)}]/Count ${pages}>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>\nendobj\n4 0 obj\n<</Length ${content.length}>>\nstream\n${content}endstream\nendobj\n`
}

const ofPdfs: HostileRequest[] = pdfs.map(([name, content]) => {
  let body: Buffer | undefined
  return {
    name: `suggestDocument (operator): ${name}`,
    status: 200,
    send: (target) => {
      body ??= Buffer.from(content(), 'latin1')
      return statusOfBody(target, 'operator', {
        path: `${operatorOperations.suggestDocument.path}?name=scan.pdf`,
        type: 'application/pdf',
        body,
      })
    },
  }
})

export const hostileFiles: HostileRequest[] = [...ofSheets, ...ofLines, ...ofPdfs]
