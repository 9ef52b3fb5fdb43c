import type { Slug } from '../../contract/import-line.js'
import type { Cell } from '../../spreadsheet/cell.js'
import { csvRow } from '../../spreadsheet/csv-row.js'
import { type ImportOptions, type ImportOutcome, importLines } from '../lines/import.js'
import { type Table, type TableName, tables } from './columns.js'
import { type Header, type Part, partsOf, placeIn } from './header.js'
import { byPlace, columnAt, readTableRecords, repetitionFinder, type TableRecord } from './records.js'
import type { CellFault, CellPlace, Sheet } from './sheet.js'

export type TableImportOptions = {
  table: TableName
  account: Slug
  skipInvalid: boolean
  /** Report every fault, and change nothing. */
  checkOnly?: boolean
  author: string
  onFault(fault: CellFault): void
  onProgress?: ImportOptions['onProgress']
}

export type TableOutcome = ImportOutcome & {
  /** With an invalid header nothing is stored: no row can be trusted. */
  hasBadHeader: boolean
  /** Sheets without any known column. */
  unreadSheets: string[]
}

/**
 * Imports the records of a table as lines of an import. The line number of a record is that of its first row, counted
 * through all sheets, so that a fault of a line can be located.
 */
export async function importTable(
  storage: Parameters<typeof importLines>[0],
  sheets: Sheet[],
  { table: name, account, skipInvalid, checkOnly = false, author, onFault, onProgress }: TableImportOptions,
): Promise<TableOutcome> {
  const table = tables[name]
  const { parts, unreadSheets } = partsOf(table, sheets)
  const headerFaults = parts.flatMap(({ header }) => header.faults)
  for (const fault of headerFaults) onFault(fault)

  const reading = new TableReading(table, parts)
  const outcome = await importLines(storage, reading.lines(account, onFault), {
    folder: undefined,
    skipInvalid,
    checkOnly: checkOnly || headerFaults.length > 0,
    author,
    onFault: ({ line, pointer, detail }) => {
      if (!reading.badLines.has(line)) onFault({ ...reading.locate(line, pointer), detail })
    },
    onProgress,
  })
  return { ...outcome, hasBadHeader: headerFaults.length > 0, unreadSheets }
}

/** The rows that an import has rejected, as a CSV file with the columns of the template. */
export async function* rejectedCsv(
  name: TableName,
  sheets: Sheet[],
  rejectedLines: Set<number>,
): AsyncGenerator<string> {
  const table = tables[name]
  yield csvRow(table.columns.map((column) => column.name))
  for await (const { line, record, header } of new TableReading(table, partsOf(table, sheets).parts).records()) {
    if (!rejectedLines.has(line)) continue
    for (const row of record.rows) yield csvRow(inOrderOf(table, header, row.cells))
  }
}

function inOrderOf({ columns }: Table, { places }: Header, cells: Cell[]): Cell[] {
  return columns.map((column) => {
    const place = places.get(column)
    return (place === undefined ? undefined : cells[place]) ?? null
  })
}

type NumberedRecord = { line: number; record: TableRecord; header: Header }

class TableReading {
  readonly #table: Table
  readonly #parts: Part[]
  /** The headers read so far, with the number of lines before each. */
  readonly #starts: { before: number; header: Header }[] = []
  #current: NumberedRecord | undefined
  /** Lines whose faults were already reported by cell. */
  readonly badLines = new Set<number>()

  constructor(table: Table, parts: Part[]) {
    this.#table = table
    this.#parts = parts
  }

  async *records(): AsyncGenerator<NumberedRecord> {
    let line = 0
    for (const { sheet, header } of this.#parts) {
      const before = line
      this.#starts.push({ before, header })
      for await (const record of readTableRecords(this.#table, sheet, header)) {
        line = before + record.row
        yield { line, record, header }
      }
    }
  }

  /** One chunk for each record. Empty lines fill in for the rows between, so that line numbers match rows. */
  async *lines(account: Slug, onFault: (fault: CellFault) => void): AsyncGenerator<Buffer> {
    let written = 0
    const findRepetition = repetitionFinder(this.#table)
    for await (const numbered of this.records()) {
      const { line, record } = numbered
      this.#current = numbered
      const faults = [...record.faults, ...findRepetition(record)].toSorted(byPlace)
      for (const fault of faults) onFault(fault)
      if (faults.length > 0) this.badLines.add(line)
      const text = faults.length > 0 ? 'null' : JSON.stringify(this.#lineOf(account, record))
      yield Buffer.from(`${'\n'.repeat(line - 1 - written)}${text}\n`)
      written = line
    }
  }

  #lineOf(account: Slug, { data }: TableRecord) {
    return { kind: this.#table.kind, account, data }
  }

  locate(line: number, pointer: string): CellPlace {
    const inData = pointer.startsWith('/data') ? pointer.slice('/data'.length) : ''
    if (this.#current?.line === line) return this.#current.record.locate(inData)
    const { header, row } = this.#rowOf(line)
    return placeIn(header, row, columnAt(this.#table, inData).column)
  }

  #rowOf(line: number): { header: Header; row: number } {
    const start = this.#starts.findLast(({ before }) => before < line)
    if (!start) throw new Error(`line ${line} is of no sheet`)
    return { header: start.header, row: line - start.before }
  }
}
