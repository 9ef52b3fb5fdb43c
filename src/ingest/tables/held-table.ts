import type { Fault } from '../../contract/refusals.js'
import { isBlank, letterOf, shownText } from '../../spreadsheet/cell.js'
import { openSpreadsheet } from '../../spreadsheet/open-spreadsheet.js'
import { type CellFault, type CellPlace, type Row, type Sheet, UnreadableTable } from '../../spreadsheet/sheet.js'
import { type TableName, tables } from './columns.js'
import { type Header, type HeaderOptions, type Part, partsOf } from './header.js'
import { type OpenDate, placeOfDate, settleDate } from './open-dates.js'
import { byPlace, readTableRecords, repetitionFinder } from './records.js'

/** An uploaded table, small enough for memory: its records, its rows as they are shown, and its faults. */
export type HeldTable = {
  /** Column names: those of the table, unknown ones as written, unnamed ones by letter. */
  columns: string[]
  rows: HeldRow[]
  /** Valid and invalid records, each with the cell of its identifier. */
  records: { data: Record<string, unknown>; place: CellPlace }[]
  /** The first ones: a file with more usually has one cause. */
  faults: CellFault[]
  faultCount: number
  /** Headings that are not recognised. */
  unknownColumns: string[]
  /** What was normalised: the first ones. */
  warnings: CellFault[]
  /** Sheets without any known column. */
  unreadSheets: string[]
}

/** Faults that are listed, of a table. */
export const mostFaults = 5000
const mostWarnings = 200

/** A piece of a table, small enough to be received without a delay for others; or why there is none. */
export type HeldTablePart = Partial<HeldTable> | { unreadable: string }

/** Cells may be fewer than columns: the rest are empty. */
export type HeldRow = { sheet: string | undefined; row: number; cells: string[] }

export type TableLimits = {
  rows: number
  columns: number
  /** Limit for the text of all cells: a workbook stores a shared string once for any number of cells. */
  characters: number
  /** Bytes that a workbook may unpack to. */
  unpacked: number
}

/** `ruleFaults`: rules that a schema cannot express. */
export async function readHeldTable(
  name: TableName,
  content: Buffer,
  limits: TableLimits,
  ruleFaults: (data: Record<string, unknown>) => Fault[],
  options: Pick<HeaderOptions, 'dates' | 'mapping'> = {},
): Promise<HeldTable> {
  const table = tables[name]
  const { parts, unreadSheets } = partsOf(table, await openSpreadsheet(content, limits.unpacked), {
    mostColumns: limits.columns,
    ...options,
  })
  const held: HeldTable = {
    columns: [],
    rows: [],
    records: [],
    faults: [],
    faultCount: 0,
    warnings: [],
    unknownColumns: [],
    unreadSheets,
  }
  const takeIn = rowKeeper(held, limits)
  const findRepetition = repetitionFinder(table)
  for (const { sheet, header } of parts) {
    const rows = await takeIn({ sheet, header })
    held.unknownColumns = [...new Set([...held.unknownColumns, ...header.unknown])]
    const faults = [...header.faults]
    const open: { data: Record<string, unknown>; date: OpenDate }[] = []
    for await (const record of readTableRecords(table, { ...sheet, rows }, header)) {
      const { data, locate } = record
      const broken = ruleFaults(data).map(({ pointer, detail }) => ({ ...locate(pointer), detail }))
      // Not spread into push(): a long table exceeds the limit of arguments.
      for (const fault of [...record.faults, ...broken, ...findRepetition(record)]) faults.push(fault)
      for (const date of record.openDates) open.push({ data, date })
      for (const warning of record.warnings) if (held.warnings.length < mostWarnings) held.warnings.push(warning)
      held.records.push({ data, place: locate(`/${table.identifier.name}`) })
    }
    for (const { data, date } of open) {
      const detail = settleDate(data, date, header)
      if (detail !== undefined) faults.push({ ...placeOfDate(header, date), detail })
    }
    held.faultCount += faults.length
    held.faults = held.faults.concat(faults.toSorted(byPlace)).slice(0, mostFaults)
  }
  return held
}

const itemsAtOnce = 200

/** The table in parts; `addPart` puts it together. */
export function* partsOfTable({ rows, records, faults, ...rest }: HeldTable): Generator<HeldTablePart> {
  yield rest
  for (const some of slicesOf(rows)) yield { rows: some }
  for (const some of slicesOf(records)) yield { records: some }
  for (const some of slicesOf(faults)) yield { faults: some }
}

function* slicesOf<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += itemsAtOnce) yield items.slice(start, start + itemsAtOnce)
}

export function addPart(table: HeldTable, { rows = [], records = [], faults = [], ...rest }: Partial<HeldTable>): void {
  Object.assign(table, rest)
  table.rows.push(...rows)
  table.records.push(...records)
  table.faults.push(...faults)
}

// Characters of a cell in the preview.
const longestShown = 500

/** Keeps the rows of one sheet after another for the preview, and returns those that are not blank. */
function rowKeeper({ columns, rows: kept }: HeldTable, limits: TableLimits): (part: Part) => Promise<Row[]> {
  const positions = new Map<string, number>()
  let characters = 0

  function positionOf(name: string, occurrence: number): number {
    const key = `${occurrence} ${name}`
    const position = positions.get(key) ?? columns.push(name) - 1
    positions.set(key, position)
    return position
  }

  function measure(row: Row, width: number): void {
    if (kept.length >= limits.rows) {
      throw new UnreadableTable(`has more than ${limits.rows} rows: take them in several files`)
    }
    if (width > limits.columns) throw new UnreadableTable(`has more than ${limits.columns} columns`)
    for (const cell of row.cells) characters += typeof cell === 'string' ? cell.length : 0
    if (characters > limits.characters) {
      throw new UnreadableTable(`holds more than ${limits.characters} characters: take them in several files`)
    }
  }

  return async ({ sheet, header }) => {
    const places = headingsOf(sheet, header).map(({ index, name, occurrence }) => ({
      index,
      position: positionOf(name, occurrence),
    }))
    const byIndex = new Map(places.map(({ index, position }) => [index, position]))
    if (columns.length > limits.columns) throw new UnreadableTable(`has more than ${limits.columns} columns`)
    const rows: Row[] = []
    for await (const row of sheet.rows) {
      const width = row.cells.findLastIndex((cell) => !isBlank(cell)) + 1
      if (width === 0) continue
      measure(row, width)
      rows.push({ ...row, cells: row.cells.slice(0, width) })
      const cells: string[] = []
      for (const [index, cell] of row.cells.slice(0, width).entries()) {
        const position = byIndex.get(index) ?? (isBlank(cell) ? undefined : positionOf(letterOf(index), -1))
        if (position !== undefined) cells[position] = shortened(shownText(cell))
      }
      kept.push({
        sheet: sheet.name,
        row: row.number,
        cells: Array.from(cells, (text: string | undefined) => text ?? ''),
      })
    }
    return rows
  }
}

type Heading = { index: number; name: string; occurrence: number }

/** Repeated column names are shown as separate columns. */
function headingsOf({ header: cells }: Sheet, { places, named }: Header): Heading[] {
  const known = new Map([...places].map(([{ name }, index]) => [index, name]))
  const counts = new Map<string, number>()
  return [...named].map((index) => {
    const name = known.get(index) ?? shortened(shownText(cells[index]))
    const occurrence = counts.get(name) ?? 0
    counts.set(name, occurrence + 1)
    return { index, name, occurrence }
  })
}

function shortened(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
