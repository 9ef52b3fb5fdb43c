import type { Slug } from '../../contract/import-line.js'
import type { DateOrder } from '../../domain/records/liberal-values.js'
import { readAs } from '../../domain/shipments/normalize-shipment.js'
import type { Cell } from '../../spreadsheet/cell.js'
import { csvRow } from '../../spreadsheet/csv-row.js'
import type { CellFault, CellPlace, Sheet } from '../../spreadsheet/sheet.js'
import { type ImportOptions, type ImportOutcome, importPatches } from '../lines/import.js'
import type { NumberedReading } from '../lines/line-batch.js'
import { type LineReading, limited } from '../lines/read-line.js'
import type { RecordPatch } from '../lines/record-patch.js'
import type { LocatedFault } from '../lines/report.js'
import { type Table, type TableName, tables } from './columns.js'
import { type ColumnMapping, cellPlaceOf, type Header, type Part, partsOf } from './header.js'
import { type OpenDate, placeOfDate, settleDate, settledDate } from './open-dates.js'
import { byPlace, columnAt, type RecordForm, readTableRecords, repetitionFinder, type TableRecord } from './records.js'

export type TableImportOptions = {
  table: TableName
  account: Slug
  skipInvalid: boolean
  /** Report every fault, and change nothing. */
  checkOnly?: boolean
  /** Remove what is stored and not in the table, instead of leaving it. */
  replace?: boolean
  /** The order of day and month in dates such as 05/11/2026. */
  dates?: DateOrder | undefined
  mapping?: ColumnMapping | undefined
  author: string
  onFault(fault: CellFault): void
  onWarning?: ((warning: CellFault) => void) | undefined
  /** Called for each value of a stored record that the table changes. */
  onChange?: ((change: FieldChange) => void) | undefined
  onProgress?: ImportOptions['onProgress']
}

/** `after` is undefined for a value that is lost. */
export type FieldChange = { id: string; field: string; before: unknown; after: unknown }

export type TableOutcome = ImportOutcome & {
  /** With an invalid header nothing is stored: no row can be trusted. */
  hasBadHeader: boolean
  /** Sheets without any known column. */
  unreadSheets: string[]
}

/**
 * Imports the records of a table as patches of the stored ones. The line number of a record is that of its first row, counted
 * through all sheets, so that a fault of a line can be located.
 */
export async function importTable(
  storage: Parameters<typeof importPatches>[0],
  sheets: Sheet[],
  {
    table: name,
    account,
    skipInvalid,
    checkOnly = false,
    replace = false,
    dates,
    mapping,
    author,
    onFault,
    onWarning,
    onChange,
    onProgress,
  }: TableImportOptions,
): Promise<TableOutcome> {
  const table = tables[name]
  const { parts, unreadSheets } = partsOf(table, sheets, { dates, mapping })
  const headerFaults = parts.flatMap(({ header }) => header.faults)
  for (const fault of headerFaults) onFault(fault)

  const reading = new TableReading(table, parts)
  const outcome = await importPatches(storage, reading.readings({ account, replaces: replace, onFault, onWarning }), {
    folder: undefined,
    skipInvalid,
    checkOnly: checkOnly || headerFaults.length > 0,
    author,
    onFault: ({ line, pointer, detail }) => onFault({ ...reading.locate(line, pointer), detail }),
    onWarning: onWarning && (({ line, pointer, detail }) => onWarning({ ...reading.locate(line, pointer), detail })),
    onProgress,
    settle: (patch, line) => reading.settle(patch, line, onWarning),
    onChange:
      onChange &&
      (({ id, pointer, before, after }) =>
        onChange({ id, field: pointer.slice(1).replaceAll('/', '.'), before, after })),
  })
  return { ...outcome, hasBadHeader: headerFaults.length > 0, unreadSheets }
}

/** The rows that an import has rejected, as a CSV file with the columns of the template. */
export async function* rejectedCsv(
  name: TableName,
  sheets: Sheet[],
  rejectedLines: Set<number>,
  mapping?: ColumnMapping,
): AsyncGenerator<string> {
  const table = tables[name]
  yield csvRow(table.columns.map((column) => column.name))
  for await (const { line, record, header } of new TableReading(
    table,
    partsOf(table, sheets, { mapping }).parts,
  ).records('patch')) {
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

  constructor(table: Table, parts: Part[]) {
    this.#table = table
    this.#parts = parts
  }

  async *records(form: RecordForm): AsyncGenerator<NumberedRecord> {
    let line = 0
    for (const { sheet, header } of this.#parts) {
      const before = line
      this.#starts.push({ before, header })
      for await (const record of readTableRecords(this.#table, sheet, header, form)) {
        line = before + record.row
        yield { line, record, header }
      }
    }
  }

  /** The records as they are staged. Those with faults are reported by cell, and rejected. */
  async *readings({
    account,
    replaces,
    onFault,
    onWarning,
  }: Pick<TableImportOptions, 'account' | 'onFault' | 'onWarning'> & { replaces: boolean }): AsyncGenerator<
    NumberedReading[]
  > {
    const findRepetition = repetitionFinder(this.#table)
    for await (const { line, record } of this.records(replaces ? 'whole' : 'patch')) {
      const faults = [...record.faults, ...findRepetition(record)].toSorted(byPlace)
      for (const fault of faults) onFault(fault)
      if (faults.length === 0) for (const warning of record.warnings) onWarning?.(warning)
      yield [{ line, reading: faults.length > 0 ? { faults: [] } : this.#staged(line, record, { account, replaces }) }]
    }
  }

  #staged(
    line: number,
    { row, data, emptied, entryRows, openDates }: TableRecord,
    { account, replaces }: { account: Slug; replaces: boolean },
  ): LineReading {
    const { kind, identifier } = this.#table
    const lineOf = (entryRow: number) => line + entryRow - row
    const entryLines = Object.fromEntries(Object.entries(entryRows).map(([path, rows]) => [path, rows.map(lineOf)]))
    const patch: RecordPatch = { data, emptied, entryLines, ...(openDates.length > 0 && { openDates }), replaces }
    return limited({ kind, account, id: String(data[identifier.name]), record: JSON.stringify(patch) })
  }

  /** Sets dates whose order is known now that the sheet has been read. */
  settle(
    { data, openDates = [] }: RecordPatch,
    line: number,
    onWarning: TableImportOptions['onWarning'],
  ): LocatedFault[] {
    const { header, row } = this.#rowOf(line)
    return (openDates as OpenDate[]).flatMap((date) => {
      const detail = settleDate(data, date, header)
      if (detail !== undefined)
        return [{ pointer: `/data/${date.path.join('/')}`, detail, line: line + date.row - row }]
      onWarning?.({ ...placeOfDate(header, date), detail: readAs(date.text, settledDate(date, header)) })
      return []
    })
  }

  locate(line: number, pointer: string): CellPlace {
    const inData = pointer.startsWith('/data') ? pointer.slice('/data'.length) : ''
    const { header, row } = this.#rowOf(line)
    return cellPlaceOf(header, row, columnAt(this.#table, inData).column)
  }

  #rowOf(line: number): { header: Header; row: number } {
    const start = this.#starts.findLast(({ before }) => before < line)
    if (!start) throw new Error(`line ${line} is of no sheet`)
    return { header: start.header, row: line - start.before }
  }
}
