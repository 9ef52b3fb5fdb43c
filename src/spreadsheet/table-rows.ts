import { type Cell, isBlank } from './cell.js'
import { openSpreadsheet } from './open-spreadsheet.js'
import { type Sheet, UnreadableTable } from './sheet.js'

/** The rows of a small table as plain values: what it means is left to the caller. */

/** A text as it is shown; a date or time of a spreadsheet, which has no zone; or why there is no value. */
export type TableCell = string | { date: string } | { error: string }

/** Numbered as spreadsheet programs do. Cells may be fewer than headings: the rest are empty. */
export type TableRow = { number: number; cells: TableCell[] }
export type TableSheet = { name: string | undefined; rows: TableRow[] }

const limits = { columns: 200, characters: 8_000_000, unpacked: 32 * 1024 * 1024 }

// With room for headings.
export const usualRows = 5100

/** All rows that are not empty, headings included. */
export async function readTableRows(content: Buffer, mostRows: number): Promise<TableSheet[]> {
  const count = { rows: 0, mostRows, characters: 0 }
  const sheets: TableSheet[] = []
  for (const sheet of await openSpreadsheet(content, limits.unpacked)) sheets.push(await rowsOf(sheet, count))
  return sheets
}

type Count = { rows: number; mostRows: number; characters: number }

async function rowsOf({ name, header, rows }: Sheet, count: Count): Promise<TableSheet> {
  const kept: TableRow[] = []
  function take(number: number, cells: Cell[]): void {
    const width = cells.findLastIndex((cell) => !isBlank(cell)) + 1
    if (width === 0) return
    if (width > limits.columns) throw new UnreadableTable(`has more than ${limits.columns} columns`)
    count.rows += 1
    if (count.rows > count.mostRows)
      throw new UnreadableTable(
        `has more than ${Math.floor(count.mostRows / 1000) * 1000} rows: send them in several files`,
      )
    for (const cell of cells) count.characters += typeof cell === 'string' ? cell.length : 0
    if (count.characters > limits.characters)
      throw new UnreadableTable(`holds more than ${limits.characters} characters: send it in several files`)
    kept.push({ number, cells: cells.slice(0, width).map(plainCell) })
  }
  take(1, header)
  for await (const { number, cells } of rows) take(number, cells)
  return { name, rows: kept }
}

// Spreadsheets store 15 significant digits: longer numbers have lost some.
const digits = 15

function plainCell(cell: Cell): TableCell {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell.trim()
  if (typeof cell === 'boolean') return String(cell)
  if (typeof cell === 'number') {
    const shown = String(Number(cell.toPrecision(digits)))
    const isWhole = Math.abs(cell) < 10 ** digits && !shown.includes('e')
    return isWhole ? shown : { error: 'a number that lost digits: format the cell as text, and write it again' }
  }
  return cell instanceof Date ? dateCell(cell) : { error: cell.error }
}

// A time of day without a date is a fraction of the day before the first one.
const firstYear = 1901

function dateCell(date: Date): TableCell {
  if (Number.isNaN(date.getTime())) return { error: 'a date that does not exist' }
  // Times are stored as fractions of a day, which round to a millisecond less.
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString()
  return { date: date.getUTCFullYear() < firstYear ? iso.slice(11, 19) : iso.slice(0, 19) }
}
