import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Cell, letterOf, textOf } from './cell.js'
import { type RowBatches, rowParts } from './row-parts.js'

/**
 * Streams an XLSX file while its rows are read. Written by hand because write-excel-file 4.1 holds the whole sheet in memory and
 * blocks the event loop: 50,000 rows of 20 cells take it 25 s of CPU time and at least 565 MiB; here 4 s in slices, and 150 MiB.
 */

export type WrittenSheet = {
  name: string
  header: string[]
  rows: RowBatches
}

/** `notes` is a further sheet of text, below its name in the first row. */
export function xlsxOf(sheet: WrittenSheet, notes?: { name: string; lines: string[] }): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  const rows = Readable.from(sheetXml(sheet))
  // A truncated file must not look complete: an error destroys the response instead of ending it.
  for (const stream of [zip, rows]) stream.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => rows.destroy())
  for (const [path, xml] of Object.entries(partsOf(notes ? [sheet.name, notes.name] : [sheet.name])))
    zip.addBuffer(Buffer.from(declaration + xml), path)
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml')
  if (notes) zip.addBuffer(Buffer.from(notesXml(notes)), 'xl/worksheets/sheet2.xml')
  zip.end()
  return output
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// Styles by their index: plain, bold, text, date.
const [bold, text, date] = [1, 2, 3]

function partsOf(names: string[]): Record<string, string> {
  const forEach = (toXml: (number: number, name: string) => string) =>
    names.map((name, index) => toXml(index + 1, name)).join('')
  return {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
      forEach((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`) +
      '</Types>',
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${forEach((n, name) => `<sheet name="${escaped(name)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${relations}">` +
      forEach((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`) +
      `<Relationship Id="rId${names.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>` +
      '<fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>' +
      '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/>' +
      '<xf xfId="0" numFmtId="49" applyNumberFormat="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>',
  }
}

async function* sheetXml({ header, rows }: WrittenSheet): AsyncGenerator<string> {
  const widths = header.map(({ length }, index) => columnXml(index + 1, Math.min(Math.max(length + 2, 18), 42)))
  // The header row is frozen.
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>` +
    rowXml(1, header, (place, title) => textXml(place, title, bold))
  let number = 1
  for await (const part of rowParts(rows)) yield part.map((row) => rowXml((number += 1), row, cellXml)).join('')
  yield '</sheetData></worksheet>'
}

function notesXml({ name, lines }: { name: string; lines: string[] }): string {
  const rows = [name, ...lines].map((line, index) =>
    rowXml(index + 1, [line], (place, value) => textXml(place, value, index === 0 ? bold : text)),
  )
  return `${declaration}<worksheet xmlns="${main}"><cols>${columnXml(1, 120)}</cols><sheetData>${rows.join('')}</sheetData></worksheet>`
}

function columnXml(number: number, width: number): string {
  return `<col min="${number}" max="${number}" width="${width}" customWidth="1"/>`
}

function rowXml<Value>(number: number, values: Value[], toXml: (place: string, value: Value) => string): string {
  return `<row r="${number}">${values.map((value, index) => toXml(letterOf(index) + number, value)).join('')}</row>`
}

function cellXml(place: string, cell: Cell): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  // XLSX counts dates in days since 1899-12-30.
  if (cell instanceof Date && cell.getUTCFullYear() > 1900) {
    return `<c r="${place}" s="${date}"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  }
  return textXml(place, cell instanceof Date ? cell.toISOString().slice(0, 10) : textOf(cell), text)
}

// Typed as text, so that no program converts it to a number, a date or a formula.
function textXml(place: string, value: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

// XML 1.0 allows neither most control characters nor U+FFFE and U+FFFF.
function escaped(value: string): string {
  return value
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}
