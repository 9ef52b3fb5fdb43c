import { columnsByHeading, plainHeading } from '../../domain/records/column-headings.js'
import type { DateOrder } from '../../domain/records/liberal-values.js'
import { isBlank, letterOf, textOf } from '../../spreadsheet/cell.js'
import { type CellFault, type CellPlace, type Sheet, UnreadableTable } from '../../spreadsheet/sheet.js'
import type { Column, Table } from './columns.js'
import { similarName } from './similar-name.js'

/** Maps the columns of a sheet to those of the table. */
export type Header = {
  sheet: string | undefined
  places: Map<Column, number>
  /** Columns of the sheet that have a name in row 1, known or not. */
  named: Set<number>
  /** Headings that are not recognised. */
  unknown: string[]
  faults: CellFault[]
  /** The order of day and month that was stated. */
  statedOrder: DateOrder | undefined
  /** The orders that dates below it show. */
  dateOrders: Set<DateOrder>
}

export type HeaderOptions = {
  /** With more named columns the sheet is refused, before similar names are searched for each. */
  mostColumns?: number
  /** The order of day and month, where people state it. */
  dates?: DateOrder | undefined
  mapping?: ColumnMapping | undefined
}

/** The column that a heading stands for, by its text; none: its column is ignored. */
export type ColumnMapping = Record<string, string>

export function readHeader(
  table: Table,
  { name: sheet, header }: Sheet,
  { mostColumns = Number.POSITIVE_INFINITY, dates, mapping = {} }: HeaderOptions = {},
): Header {
  if (header.filter((cell) => !isBlank(cell)).length > mostColumns) {
    throw new UnreadableTable(`has more than ${mostColumns} columns`)
  }
  const findColumn = columnFinder(table, mapping)
  const places = new Map<Column, number>()
  const named = new Set<number>()
  const unknown: string[] = []
  const faults: CellFault[] = []
  for (const [index, cell] of header.entries()) {
    if (isBlank(cell)) continue
    named.add(index)
    const column = findColumn(textOf(cell))
    if (column === 'ignored') continue
    const place = { sheet, row: 1, column: { letter: letterOf(index), name: textOf(cell) } }
    const first = column && places.get(column)
    if (!column) {
      unknown.push(textOf(cell))
      faults.push({ ...place, detail: unknownDetail(table, textOf(cell)) })
    } else if (first !== undefined)
      faults.push({ ...place, detail: `is the name of column ${letterOf(first)} already` })
    else places.set(column, index)
  }
  const missing = table.columns.filter((column) => column.required && !places.has(column))
  for (const { name } of missing) {
    faults.push({ sheet, row: 1, column: { letter: undefined, name }, detail: 'is required, and not in the header' })
  }
  return { sheet, places, named, unknown, faults, statedOrder: dates, dateOrders: new Set() }
}

type Find = (heading: string) => Column | 'ignored' | undefined

/** By the mapping, by the name of the interface, and by the words that people use. */
function columnFinder({ name: table, columns }: Table, mapping: ColumnMapping): Find {
  const byName = new Map(columns.map((column) => [column.name.toLowerCase(), column]))
  const byWords = new Map(columns.map((column) => [plainHeading(column.name), column]))
  for (const [heading, name] of columnsByHeading(table)) {
    const column = byName.get(name.toLowerCase())
    if (column && !byWords.has(heading)) byWords.set(heading, column)
  }
  const mapped = new Map(Object.entries(mapping).map(([heading, name]) => [heading.trim().toLowerCase(), name]))
  return (heading) => {
    const name = mapped.get(heading.toLowerCase())
    if (name === '') return 'ignored'
    return byName.get((name ?? heading).toLowerCase()) ?? byWords.get(plainHeading(heading))
  }
}

function unknownDetail({ name, columns }: Table, heading: string): string {
  const meant = similarName(
    heading,
    columns.map((column) => column.name),
  )
  const help = meant === undefined ? 'the template has all columns' : `did you mean \`${meant}\`?`
  return `is not a column of ${name}; ${help}`
}

export type Part = { sheet: Sheet; header: Header }

// A sheet of notes is skipped. One with at least one known column is read, and all its other columns must be known too.
export function partsOf(
  table: Table,
  sheets: Sheet[],
  options: HeaderOptions = {},
): { parts: Part[]; unreadSheets: string[] } {
  const meant = sheets.filter((sheet) => isHeaderOf(table, sheet, options))
  const read = meant.length > 0 ? meant : sheets.slice(0, 1)
  return {
    parts: read.map((sheet) => ({ sheet, header: readHeader(table, sheet, options) })),
    unreadSheets: sheets.flatMap((sheet) => (read.includes(sheet) || isNotes(sheet) ? [] : (sheet.name ?? []))),
  }
}

/** The sheet of the template that explains it. */
export const notesName = 'How to fill in'

function isNotes({ name, header }: Sheet): boolean {
  return name === notesName && textOf(header[0]) === notesName
}

/** Whether row 1 has a known column name, or the identifier in other words. */
function isHeaderOf(table: Table, { header }: Sheet, { mapping = {} }: HeaderOptions): boolean {
  const names = new Set(table.columns.map(({ name }) => name.toLowerCase()))
  if (header.some((cell) => names.has(textOf(cell).toLowerCase()))) return true
  const findColumn = columnFinder(table, mapping)
  return header.some((cell) => !isBlank(cell) && findColumn(textOf(cell)) === table.identifier)
}

export function cellPlaceOf({ sheet, places }: Header, row: number, column: Column | undefined): CellPlace {
  if (!column) return { sheet, row, column: undefined }
  const index = places.get(column)
  return { sheet, row, column: { letter: index === undefined ? undefined : letterOf(index), name: column.name } }
}
