import { packedAgain, unpackXml } from './archive.js'
import { type Cell } from './cell.js'
import { type Sheet, UnreadableTable } from './sheet.js'
import { type CellError, findErrors } from './workbook.js'

/** XLSX, held in memory: the format cannot be streamed. `largestContent`: limit for the unpacked bytes. */
export async function openXlsx(bytes: Buffer, largestContent?: number): Promise<Sheet[]> {
  const files = await unpackXml(bytes, largestContent)
  const errors = findErrors(files)
  const sheets = await readSheets(files).catch((error: Error) => {
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

async function readSheets(files: Map<string, Buffer>) {
  // Loaded when a workbook is read: its 41 modules would delay every start.
  const { default: readWorkbook } = await import('read-excel-file/universal')
  return readWorkbook(await packedAgain(files), { trim: false })
}

function sheetOf(name: string, data: Cell[][], errors: CellError[]): Sheet {
  // The library returns cells with errors as empty: without this, a failed formula would silently be no value.
  for (const { row, column, error } of errors) {
    while (data.length < row) data.push([])
    const cells = data[row - 1] as Cell[]
    while (cells.length < column) cells.push(null)
    cells[column] = { error }
  }
  const [header = [], ...rows] = data
  return { name, header, rows: rows.map((cells, index) => ({ number: index + 2, cells })) }
}
