import readWorkbook from 'read-excel-file/node'
import writeWorkbook, { type Cell as WrittenCell } from 'write-excel-file/node'
import { unpackXml } from './archive.js'
import { type Cell, type Sheet, textOf, UnreadableTable } from './sheet.js'
import { type CellError, findErrors } from './workbook.js'

/** XLSX, held in memory as a whole: the format cannot be read in one go. `largestContent`: how much it may unpack to. */
export async function openXlsx(bytes: Buffer, largestContent?: number): Promise<Sheet[]> {
  const errors = findErrors(unpackXml(bytes, largestContent))
  const sheets = await readWorkbook(bytes, { trim: false }).catch((error: Error) => {
    throw new UnreadableTable(`is not a readable XLSX file: ${error.message}`, { cause: error })
  })
  const opened = sheets.map(({ sheet, data }, index) =>
    sheetOf(sheet, data as unknown as Cell[][], errors[index] ?? []),
  )
  if (opened.every(({ header, rows }) => header.length === 0 && [...(rows as Iterable<unknown>)].length === 0)) {
    throw new UnreadableTable('is empty')
  }
  return opened
}

function sheetOf(name: string, data: Cell[][], errors: CellError[]): Sheet {
  // Errors come as empty cells: a number that could not be computed would silently be none.
  for (const { row, column, error } of errors) {
    while (data.length < row) data.push([])
    const cells = data[row - 1] as Cell[]
    while (cells.length < column) cells.push(null)
    cells[column] = { error }
  }
  const [header = [], ...rows] = data
  return { name, header, rows: rows.map((cells, index) => ({ number: index + 2, cells })) }
}

const widestColumn = 40

/** A sheet with a header that stays in sight. */
export async function writeXlsx(name: string, header: string[], rows: Cell[][]): Promise<Buffer> {
  const head = header.map((value) => ({ value, fontWeight: 'bold' as const }))
  const columns = header.map((value, index) => {
    const longest = Math.max(value.length, ...rows.map((row) => textOf(row[index]).length))
    return { width: Math.min(longest, widestColumn) + 2 }
  })
  const data = [head, ...rows.map((row) => row.map(written))]
  return writeWorkbook(data, { sheet: name, columns, stickyRowsCount: 1 }).toBuffer()
}

// Text is marked as such, so that no program makes a number or a date of it.
function written(cell: Cell): WrittenCell {
  if (cell === null) return null
  if (cell instanceof Date) return { value: cell, type: Date, format: 'yyyy-mm-dd' }
  if (typeof cell === 'object') return { value: cell.error }
  return typeof cell === 'string' ? { value: cell, type: String, format: '@' } : { value: cell }
}
