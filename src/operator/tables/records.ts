import { type Validator, validatorOf } from '../../contract/validation.js'
import { readCell } from './cells.js'
import { type Column, type List, type Table, type TableName, tableNames, tables } from './columns.js'
import { type Header, placeIn } from './header.js'
import { type Cell, type CellFault, isBlank, letterOf, type Place, type Row, type Sheet, textOf } from './sheet.js'

/** The rows of a sheet as records. A row whose identifier is empty, or that of the row before, adds to its record. */
export type TableRecord = {
  /** The first of its rows. */
  row: number
  rows: Row[]
  data: Record<string, unknown>
  faults: CellFault[]
  /** The cell that a JSON pointer into the data means. */
  locate(pointer: string): Place
}

type Given = { row: number; cell: Cell }
type Entry = { row: number; cells: Map<Column, Cell> }

type Draft = {
  identifier: string
  rows: Row[]
  fields: Map<Column, Given>
  entries: Map<List, Entry[]>
  faults: CellFault[]
}

// One record is held in memory; nobody ships a table of which every row is the same shipment.
const mostRows = 10_000
// Of a record that is all wrong, a thousand faults tell enough.
const mostFaults = 1000

const validators = Object.fromEntries(tableNames.map((name) => [name, validatorOf(tables[name].schema)])) as Record<
  TableName,
  Validator<Table['schema']>
>

export async function* readRecords(table: Table, sheet: Sheet, header: Header): AsyncGenerator<TableRecord> {
  const place = header.places.get(table.identifier)
  if (place === undefined) return
  let draft: Draft | undefined
  for await (const row of sheet.rows) {
    if (row.cells.every(isBlank)) continue
    const identifier = textOf(row.cells[place])
    if (draft && identifier !== '' && identifier !== draft.identifier) {
      yield completeRecord(table, header, draft)
      draft = undefined
    }
    draft ??= { identifier, rows: [], fields: new Map(), entries: new Map(), faults: [] }
    addRow(header, draft, row)
  }
  if (draft) yield completeRecord(table, header, draft)
}

function addRow(header: Header, draft: Draft, row: Row): void {
  if (draft.rows.length === mostRows) {
    const detail = `is one row too many for one record: at most ${mostRows}`
    const isTold = draft.faults.at(-1)?.detail === detail
    if (!isTold) draft.faults.push({ ...placeIn(header, row.number, undefined), detail })
    return
  }
  draft.rows.push(row)
  const entries = new Map<List, Entry>()
  for (const [column, index] of header.places) {
    const cell = row.cells[index] ?? null
    if (isBlank(cell)) continue
    if (column.list) {
      const entry = entries.get(column.list) ?? { row: row.number, cells: new Map() }
      entries.set(column.list, entry)
      entry.cells.set(column, cell)
    } else addField(header, draft, column, { row: row.number, cell })
  }
  for (const [list, entry] of entries) {
    const before = draft.entries.get(list)
    if (before) before.push(entry)
    else draft.entries.set(list, [entry])
  }
  for (const [index, cell] of row.cells.entries()) {
    if (isBlank(cell) || header.named.has(index) || draft.faults.length >= mostFaults) continue
    const place = { sheet: header.sheet, row: row.number, column: { letter: letterOf(index), name: '' } }
    draft.faults.push({ ...place, detail: 'has a value, but its column has no name in row 1' })
  }
}

// Further rows may repeat what the first one says of the record, not contradict it.
function addField(header: Header, draft: Draft, column: Column, given: Given): void {
  const before = draft.fields.get(column)
  if (!before) draft.fields.set(column, given)
  else if (draft.faults.length < mostFaults && !isSame(column, before.cell, given.cell)) {
    const detail = `differs from row ${before.row} of the same record`
    draft.faults.push({ ...placeIn(header, given.row, column), detail })
  }
}

function isSame(column: Column, one: Cell, other: Cell): boolean {
  if (textOf(one) === textOf(other)) return true
  const value = JSON.stringify(readCell(column, one).value)
  return value !== undefined && value === JSON.stringify(readCell(column, other).value)
}

function completeRecord(table: Table, header: Header, draft: Draft): TableRecord {
  const { rows, faults } = draft
  const row = (rows[0] as Row).number
  const data: Record<string, unknown> = {}
  const unread = new Set<string>()

  function setDown(column: Column, steps: string[], { row: number, cell }: Given): void {
    const { value, detail } = readCell(column, cell)
    if (detail === undefined) setAt(data, steps, value)
    else {
      unread.add(pointerOf(steps))
      faults.push({ ...placeIn(header, number, column), detail })
    }
  }

  // In the order of the table, whatever that of the header: the same record is the same text.
  for (const column of table.columns) {
    const { list, path } = column
    const given = draft.fields.get(column)
    if (given) setDown(column, path, given)
    for (const [index, entry] of (list ? (draft.entries.get(list) ?? []) : []).entries()) {
      const cell = entry.cells.get(column)
      setAt(data, [...(list as List).path, String(index)], {})
      if (cell !== undefined)
        setDown(column, [...(list as List).path, String(index), ...path], { row: entry.row, cell })
    }
  }

  function locate(pointer: string): Place {
    const { column, index } = columnAt(table, pointer)
    const entry = column?.list && draft.entries.get(column.list)?.[index]
    const given = column && draft.fields.get(column)
    return placeIn(header, entry?.row ?? given?.row ?? row, column)
  }

  for (const { pointer, detail } of validators[table.name].faultsIn(data)) {
    if (!unread.has(pointer)) faults.push({ ...locate(pointer), detail })
  }
  return { row, rows, data, faults: faults.toSorted(byPlace), locate }
}

export function byPlace(one: CellFault, other: CellFault): number {
  const [left, right] = [one.column?.letter ?? '', other.column?.letter ?? '']
  return one.row - other.row || left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)
}

/** The column that a pointer leads into, or the first below what it leads to; and the entry of its list. */
export function columnAt(table: Table, pointer: string): { column: Column | undefined; index: number } {
  const steps = pointer.split('/').slice(1)
  const isMeant = (column: Column) => leadsInto(stepsTo(column, steps), steps)
  // Of an object or a list that is missing as a whole, no column was filled in: the first one stands for it.
  const isBelow = (column: Column) => steps.length > 0 && leadsInto(steps, stepsTo(column, steps))
  const column = table.columns.find(isMeant) ?? table.columns.find(isBelow)
  return { column, index: Number((column?.list && steps[column.list.path.length]) ?? 0) }
}

/** From the record to a column, by the entry of its list that a pointer leads into. */
function stepsTo({ list, path }: Column, steps: string[]): string[] {
  return list ? [...list.path, steps[list.path.length] ?? '0', ...path] : path
}

function leadsInto(path: string[], steps: string[]): boolean {
  return path.every((step, index) => step === steps[index])
}

function pointerOf(steps: string[]): string {
  return steps.map((step) => `/${step}`).join('')
}

// Whole numbers among the steps are places in lists; no field is called by a number.
function setAt(data: Record<string, unknown>, steps: string[], value: unknown): void {
  let node: Record<string, unknown> = data
  for (const [index, step] of steps.slice(0, -1).entries()) {
    node[step] ??= /^\d+$/.test(steps[index + 1] as string) ? [] : {}
    node = node[step] as Record<string, unknown>
  }
  const last = steps.at(-1) as string
  if (isEmptyObject(value)) node[last] ??= value
  else node[last] = value
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}
