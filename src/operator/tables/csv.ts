import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { type Cell, type Row, type Sheet, textOf, UnreadableTable } from './sheet.js'

/** CSV: UTF-8, comma or semicolon, quoted where needed. Read as it comes: a file of any length needs no memory. */

// A quote that is never closed makes all that follows one row.
const longestRow = 4 * 1024 * 1024
const separators = [',', ';'] as const

export async function openCsv(stream: AsyncIterable<Buffer>): Promise<Sheet[]> {
  const texts = decode(stream)[Symbol.asyncIterator]()
  const { start, separator } = await readStart(texts)
  const records = parseRecords(start, texts, separator)
  const first = await records.next()
  if (first.done) throw new UnreadableTable('is empty')
  return [{ name: undefined, header: first.value, rows: numbered(records) }]
}

async function* decode(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of stream) yield utf8.decode(chunk, { stream: true })
    yield utf8.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableTable('is not UTF-8: save it as "CSV UTF-8"', { cause: error })
  }
}

/** Reads as far as the end of the header row, which tells the separator. */
async function readStart(texts: AsyncIterator<string>): Promise<{ start: string; separator: string }> {
  let start = ''
  while (start.length < longestRow) {
    const counted = countSeparators(start)
    if (counted.ended) return { start, separator: counted.separator }
    const next = await texts.next()
    if (next.done) return { start, separator: counted.separator }
    start += next.value
  }
  throw new UnreadableTable('is no CSV file: its first row does not end')
}

function countSeparators(text: string): { ended: boolean; separator: string } {
  const counts = new Map<string, number>()
  let isQuoted = false
  let ended = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') {
      ended = true
      break
    } else counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const [comma, semicolon] = separators
  return { ended, separator: (counts.get(semicolon) ?? 0) > (counts.get(comma) ?? 0) ? semicolon : comma }
}

async function* parseRecords(start: string, rest: AsyncIterator<string>, separator: string): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestRow,
  })
  async function* texts(): AsyncGenerator<string> {
    try {
      if (start !== '') yield start
      for (let next = await rest.next(); !next.done; next = await rest.next()) if (next.value !== '') yield next.value
    } finally {
      await rest.return?.()
    }
  }
  // What fails there destroys the parser, and so comes out of it below.
  const feeding = pipeline(texts, parser)
  feeding.catch(() => {})
  try {
    yield* parser as AsyncIterable<string[]>
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableTable(`is not valid CSV: ${error.message}`, { cause: error })
    throw error
  }
}

async function* numbered(records: AsyncIterable<string[]>): AsyncGenerator<Row> {
  let number = 1
  for await (const cells of records) {
    number += 1
    yield { number, cells: cells.map(asMeant) }
  }
}

export function csvRow(cells: Cell[]): string {
  return `${cells.map(csvField).join(',')}\r\n`
}

function csvField(cell: Cell): string {
  const text = typeof cell === 'string' ? defused(shownText(cell)) : shownText(cell)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// What begins so is computed by spreadsheet programs, at the start of a cell or behind what they may take for a separator
// or a new row: text must not be able to say what. A plain number is none, nor is a dash alone.
const start = String.raw`(?<=^|[;\t\r\n])([^\S\t\r\n]*)`
const harmless = String.raw`(?:[-+]?\d+(?:[.,]\d+)?|-)\s*(?:$|[;\t\r\n])`
// Behind apostrophes, too: what is taken away must not have been the text's own.
const marks = `'*[=+@＝＋－＠-]`
const formulas = new RegExp(`${start}(?=${marks})(?!${harmless})`, 'g')
const defusedFormulas = new RegExp(`${start}'(?=${marks})`, 'g')

function defused(text: string): string {
  return text.replaceAll(formulas, "$1'")
}

/** Without the apostrophes by which we, and people, keep a spreadsheet program from computing a text. */
function asMeant(text: string): string {
  return text.replaceAll(defusedFormulas, '$1')
}

/** What a cell shows: a date without a time of day is only that. */
export function shownText(cell: Cell | undefined): string {
  return cell instanceof Date ? dateText(cell) : textOf(cell)
}

function dateText(date: Date): string {
  return date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/\.\d+Z$/, '')
}
