import type { Slug } from '../../contract/import-line.js'
import type { Fault } from '../../contract/refusals.js'
import { type ImportOutcome, importLines } from '../import/import.js'
import { type Table, type TableName, tables } from './columns.js'
import { csvRow } from './csv.js'
import { type Header, type Part, partsOf, placeIn } from './header.js'
import { columnAt, readRecords, type TableRecord } from './records.js'
import { type Cell, type CellFault, type Place, repeatDetail, type Sheet } from './sheet.js'

export type TableImportOptions = {
  table: TableName
  account: Slug
  skipInvalid: boolean
  /** Report every fault, and change nothing. */
  checkOnly?: boolean
  author: string
  onFault(fault: CellFault): void
}

export type TableOutcome = ImportOutcome & {
  /** With a bad header no row can be trusted: nothing is kept. */
  hasBadHeader: boolean
  /** Sheets of which no column is one of the table. */
  unreadSheets: string[]
}

/**
 * Imports the records of a table as lines of an import. A record is the line of its first row, all sheets counted on, so
 * that the faults of lines lead back to rows.
 */
export async function importTable(
  storage: Parameters<typeof importLines>[0],
  sheets: Sheet[],
  { table: name, account, skipInvalid, checkOnly = false, author, onFault }: TableImportOptions,
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
    refuseRepeated: (line) => reading.repeatFault(line),
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
  /** The headers met so far, with the number of lines before them. */
  readonly #starts: { before: number; header: Header }[] = []
  #current: NumberedRecord | undefined
  /** Those whose faults have been told by their cells. */
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
      for await (const record of readRecords(this.#table, sheet, header)) {
        line = before + record.row
        yield { line, record, header }
      }
    }
  }

  /** One chunk for each record: empty lines stand for the rows between. */
  async *lines(account: Slug, onFault: (fault: CellFault) => void): AsyncGenerator<Buffer> {
    let written = 0
    for await (const numbered of this.records()) {
      const { line, record } = numbered
      this.#current = numbered
      for (const fault of record.faults) onFault(fault)
      if (record.faults.length > 0) this.badLines.add(line)
      const text = record.faults.length > 0 ? 'null' : JSON.stringify(this.#lineOf(account, record))
      yield Buffer.from(`${'\n'.repeat(line - 1 - written)}${text}\n`)
      written = line
    }
  }

  #lineOf(account: Slug, { data }: TableRecord) {
    return { kind: this.#table.kind, account, data }
  }

  locate(line: number, pointer: string): Place {
    const inData = pointer.startsWith('/data') ? pointer.slice('/data'.length) : ''
    if (this.#current?.line === line) return this.#current.record.locate(inData)
    const { header, row } = this.#rowOf(line)
    return placeIn(header, row, columnAt(this.#table, inData).column)
  }

  repeatFault(earlierLine: number): Fault {
    const { header, row } = this.#rowOf(earlierLine)
    const { identifier } = this.#table
    return {
      pointer: `/data/${identifier.path.join('/')}`,
      detail: repeatDetail(placeIn(header, row, undefined)),
    }
  }

  #rowOf(line: number): { header: Header; row: number } {
    const start = this.#starts.findLast(({ before }) => before < line)
    if (!start) throw new Error(`line ${line} is of no sheet`)
    return { header: start.header, row: line - start.before }
  }
}
