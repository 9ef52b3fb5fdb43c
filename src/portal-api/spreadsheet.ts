import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { csvRow } from '../operator/tables/csv.js'
import { type Cell, letterOf, textOf } from '../operator/tables/sheet.js'
import type { PortalFile } from './handlers.js'

/** A table as it is sent while it is read. (What `operator/tables` writes as XLSX is small, and held in memory as a whole.) */

export type Sheet = {
  name: string
  /** Without its extension. */
  fileName: string
  header: string[]
  /** Some at a time. */
  rows: AsyncIterable<Cell[][]>
}

export function spreadsheetOf(format: 'csv' | 'xlsx', sheet: Sheet): PortalFile {
  const name = `${sheet.fileName}.${format}`
  if (format === 'csv') return { name, mediaType: 'text/csv; charset=utf-8', content: Readable.from(csvOf(sheet)) }
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name, mediaType, content: xlsxOf(sheet) }
}

// Spreadsheet programs take a file for UTF-8 only if it says so.
async function* csvOf({ header, rows }: Sheet): AsyncGenerator<string> {
  yield `\uFEFF${csvRow(header)}`
  for await (const some of rows) yield some.map(csvRow).join('')
}

/** XLSX is a zip of XML. Texts stand in their cells as such, so that nothing is made of them. */
function xlsxOf(sheet: Sheet): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  const rows = Readable.from(sheetXml(sheet))
  // A file that ends early must not look whole: whoever receives it is cut off.
  for (const stream of [zip, rows]) stream.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => rows.destroy())
  for (const [path, xml] of Object.entries(partsOf(sheet.name))) zip.addBuffer(Buffer.from(declaration + xml), path)
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml')
  zip.end()
  return output
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// Styles by their place: plain, bold, text, date.
const [bold, text, date] = [1, 2, 3]

function partsOf(name: string): Record<string, string> {
  return {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>` +
      '<fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>' +
      '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/>' +
      '<xf xfId="0" numFmtId="49" applyNumberFormat="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>',
  }
}

async function* sheetXml({ header, rows }: Sheet): AsyncGenerator<string> {
  // The header stays in sight.
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols><col min="1" max="${header.length}" width="18" customWidth="1"/></cols><sheetData>` +
    rowXml(
      1,
      header.map((title, index) => textXml(placeOf(index, 1), title, bold)),
    )
  let number = 1
  for await (const some of rows) {
    yield some
      .map((row) =>
        rowXml(
          (number += 1),
          row.map((cell, index) => cellXml(placeOf(index, number), cell)),
        ),
      )
      .join('')
  }
  yield '</sheetData></worksheet>'
}

function rowXml(number: number, cells: string[]): string {
  return `<row r="${number}">${cells.join('')}</row>`
}

function placeOf(column: number, row: number): string {
  return letterOf(column) + row
}

function cellXml(place: string, cell: Cell): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  // Spreadsheets count days from the end of 1899.
  if (cell instanceof Date && cell.getUTCFullYear() > 1900) {
    return `<c r="${place}" s="${date}"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  }
  return textXml(place, cell instanceof Date ? cell.toISOString().slice(0, 10) : textOf(cell), text)
}

function textXml(place: string, value: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

// Most control characters have no place in XML at all, nor have the two that are none.
function escaped(value: string): string {
  return value
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
