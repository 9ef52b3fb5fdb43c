import { Readable } from 'node:stream'
import { csvRow } from './csv-row.js'
import { rowParts } from './row-parts.js'
import { type WrittenSheet, xlsxOf } from './xlsx-writer.js'

/** A table that is sent while its rows are read. */
export type SpreadsheetContent = WrittenSheet & {
  /** Without its extension. */
  fileName: string
}

export type SpreadsheetFile = { name: string; mediaType: string; content: Readable }

export function spreadsheetFile(format: 'csv' | 'xlsx', sheet: SpreadsheetContent): SpreadsheetFile {
  const name = `${sheet.fileName}.${format}`
  if (format === 'csv') return { name, mediaType: 'text/csv; charset=utf-8', content: Readable.from(csvOf(sheet)) }
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name, mediaType, content: xlsxOf(sheet) }
}

// Excel reads a CSV file as UTF-8 only if it begins with a byte order mark.
async function* csvOf({ header, rows }: SpreadsheetContent): AsyncGenerator<string> {
  yield `\uFEFF${csvRow(header)}`
  for await (const part of rowParts(rows)) yield part.map(csvRow).join('')
}
