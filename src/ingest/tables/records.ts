import type { TSchema } from 'typebox'
import { type Validator, validatorOf } from '../../contract/validation.js'
import { type Cell, isBlank, letterOf, textOf } from '../../spreadsheet/cell.js'
import { type CellFault, type CellPlace, describePlace, type Row, type Sheet } from '../../spreadsheet/sheet.js'
import { isClearMark, readCell } from './cells.js'
import { type Column, type List, type Table, type TableName, tableNames, tables } from './columns.js'
import { cellPlaceOf, type Header } from './header.js'
import type { OpenDate } from './open-dates.js'
import { withoutRequired } from './patch-schema.js'

/** Groups rows into records: a row without identifier, or with that of the row before, continues the record. */
export type TableRecord = {
  /** Its first row. */
  row: number
  rows: Row[]
  /** In a patch, null where the stored value is to be cleared. */
  data: Record<string, unknown>
  /** Lists that are cleared, by path. */
  emptied: string[]
  /** The row of each entry of a list, by path. */
  entryRows: Record<string, number[]>
  faults: CellFault[]
  warnings: CellFault[]
  /** Dates whose day and month are distinguished only when the whole table is read. */
  openDates: OpenDate[]
  /** The cell that a JSON pointer refers to. */
  locate(pointer: string): CellPlace
}

type Given = { row: number; cell: Cell }
type Entry = { row: number; cells: Map<Column, Cell> }

type Draft = {
  identifier: string
  rows: Row[]
  fields: Map<Column, Given>
  entries: Map<List, Entry[]>
  emptied: Set<List>
  faults: CellFault[]
}

// Bounds the memory of a record.
const mostRows = 10_000
// Reported for one record.
const mostFaults = 1000

type Validators = Record<TableName, Validator<TSchema>>

const validators = Object.fromEntries(
  tableNames.map((name) => [name, validatorOf(tables[name].schema)]),
) as unknown as Validators
const patchValidators = Object.fromEntries(
  tableNames.map((name) => [name, validatorOf(withoutRequired(tables[name].schema))]),
) as unknown as Validators

/** What a record consists of: all of it, or a patch, which leaves out what is to stay as it is stored. */
export type RecordForm = 'whole' | 'patch'

export async function* readTableRecords(
  table: Table,
  sheet: Sheet,
  header: Header,
  form: RecordForm = 'whole',
): AsyncGenerator<TableRecord> {
  const place = header.places.get(table.identifier)
  if (place === undefined) return
  let draft: Draft | undefined
  for await (const row of sheet.rows) {
    if (row.cells.every(isBlank)) continue
    const identifier = textOf(row.cells[place])
    if (draft && identifier !== '' && identifier !== draft.identifier) {
      yield completeRecord(table, header, draft, form)
      draft = undefined
    }
    draft ??= { identifier, rows: [], fields: new Map(), entries: new Map(), emptied: new Set(), faults: [] }
    addRow(header, draft, row)
  }
  if (draft) yield completeRecord(table, header, draft, form)
}

function addRow(header: Header, draft: Draft, row: Row): void {
  if (draft.rows.length === mostRows) {
    const detail = `is one row too many for one record: at most ${mostRows}`
    const isReported = draft.faults.at(-1)?.detail === detail
    if (!isReported) draft.faults.push({ ...cellPlaceOf(header, row.number, undefined), detail })
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
    if (isEmptying(list, entry)) {
      draft.emptied.add(list)
      if ([...entry.cells.values()].every(isClearMark)) continue
      const detail = `clears ${list.name}: its row must have no other values of ${list.name}`
      draft.faults.push({ ...cellPlaceOf(header, row.number, entry.cells.keys().next().value), detail })
    }
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

/** Whether a row clears a whole list: it has the mark in a key or, in a list without keys, everywhere. */
function isEmptying({ keys }: List, { cells }: Entry): boolean {
  const marked = [...cells].filter(([, cell]) => isClearMark(cell))
  return keys.length === 0 ? marked.length === cells.size : marked.some(([column]) => keys.includes(column.name))
}

// Continuation rows may repeat fields of the record, but not contradict them.
function addField(header: Header, draft: Draft, column: Column, given: Given): void {
  const before = draft.fields.get(column)
  if (!before) draft.fields.set(column, given)
  else if (draft.faults.length < mostFaults && !isSame(column, before.cell, given.cell)) {
    const detail = `differs from row ${before.row} of the same record`
    draft.faults.push({ ...cellPlaceOf(header, given.row, column), detail })
  }
}

function isSame(column: Column, one: Cell, other: Cell): boolean {
  if (textOf(one) === textOf(other)) return true
  const value = JSON.stringify(readCell(column, one).value)
  return value !== undefined && value === JSON.stringify(readCell(column, other).value)
}

function completeRecord(table: Table, header: Header, draft: Draft, form: RecordForm): TableRecord {
  const { rows, faults } = draft
  const row = (rows[0] as Row).number
  const data: Record<string, unknown> = {}
  const unread = new Set<string>()
  const warnings: CellFault[] = []
  const openDates: OpenDate[] = []
  const cleared: { column: Column; steps: string[]; row: number }[] = []

  function setDown(column: Column, steps: string[], { row: number, cell }: Given): void {
    if (isClearMark(cell)) {
      cleared.push({ column, steps, row: number })
      return
    }
    const { value, detail, warning, dates, order } = readCell(column, cell)
    if (warning !== undefined) warnings.push({ ...cellPlaceOf(header, number, column), detail: warning })
    if (order !== undefined && header.statedOrder !== undefined && order !== header.statedOrder) {
      const first = header.statedOrder === 'day-month' ? 'day' : 'month'
      faults.push({ ...cellPlaceOf(header, number, column), detail: `is no date with the ${first} first` })
      return
    }
    if (order !== undefined) header.dateOrders.add(order)
    const index = header.places.get(column) ?? 0
    if (dates) openDates.push({ path: steps, row: number, index, name: column.name, text: textOf(cell), dates })
    else if (detail === undefined) setAt(data, steps, value)
    else {
      unread.add(pointerOf(steps))
      faults.push({ ...cellPlaceOf(header, number, column), detail })
    }
  }

  // In the order of the schema: the record does not depend on the order of columns.
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

  function locate(pointer: string): CellPlace {
    const { column, index } = columnAt(table, pointer)
    const entry = column?.list && draft.entries.get(column.list)?.[index]
    const given = column && draft.fields.get(column)
    return cellPlaceOf(header, entry?.row ?? given?.row ?? row, column)
  }

  for (const { pointer, detail } of (form === 'whole' ? validators : patchValidators)[table.name].faultsIn(data)) {
    if (!unread.has(pointer)) faults.push({ ...locate(pointer), detail })
  }
  for (const { column, steps, row: number } of form === 'patch' ? cleared : []) {
    const detail = clear(data, column, steps)
    if (detail !== undefined) faults.push({ ...cellPlaceOf(header, number, column), detail })
  }
  const emptied = [...draft.emptied].map(({ path }) => path.join('.'))
  const entryRows = Object.fromEntries(
    [...draft.entries].map(([{ path }, entries]) => [path.join('.'), entries.map((entry) => entry.row)]),
  )
  return { row, rows, data, emptied, entryRows, faults: faults.toSorted(byPlace), warnings, openDates, locate }
}

/** Marks what a column clears, or returns why it cannot. */
function clear(data: Record<string, unknown>, { path, clears }: Column, steps: string[]): string | undefined {
  if (clears === undefined) return 'is required: it cannot be cleared'
  const place = [...steps.slice(0, steps.length - path.length), ...clears]
  const rest = place.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], data)
  if (rest !== undefined && rest !== null) return `cannot be cleared without the rest of ${clears.at(-1)}`
  setAt(data, place, null)
  return undefined
}

/**
 * Reports a record that occurs again further down, in any sheet: also after a bad one, as storing the second would hide
 * that there are two. Keeps every identifier: about 100 bytes a record.
 */
export function repetitionFinder({ identifier }: Table): (record: TableRecord) => CellFault[] {
  const firsts = new Map<string, CellPlace>()
  return ({ data, locate }) => {
    const value = data[identifier.name] as string | number | undefined
    if (value === undefined) return []
    const place = locate(`/${identifier.name}`)
    const first = firsts.get(String(value))
    if (!first) {
      firsts.set(String(value), { ...place, column: undefined })
      return []
    }
    return [
      { ...place, detail: `is already in ${describePlace(first)}: the rows of one record must follow each other` },
    ]
  }
}

export function byPlace(one: CellFault, other: CellFault): number {
  const [left, right] = [one.column?.letter ?? '', other.column?.letter ?? '']
  return one.row - other.row || left.length - right.length || (left < right ? -1 : left > right ? 1 : 0)
}

/** The column that a pointer refers to (or the first column below it), and the index in its list. */
export function columnAt(table: Table, pointer: string): { column: Column | undefined; index: number } {
  const steps = pointer.split('/').slice(1)
  const isMeant = (column: Column) => leadsInto(stepsTo(column, steps), steps)
  // A missing object or list has no cell: its fault is reported for its first column.
  const isBelow = (column: Column) => steps.length > 0 && leadsInto(steps, stepsTo(column, steps))
  const column = table.columns.find(isMeant) ?? table.columns.find(isBelow)
  return { column, index: Number((column?.list && steps[column.list.path.length]) ?? 0) }
}

/** The path from the record to a column, with the list index of the pointer. */
function stepsTo({ list, path }: Column, steps: string[]): string[] {
  return list ? [...list.path, steps[list.path.length] ?? '0', ...path] : path
}

function leadsInto(path: string[], steps: string[]): boolean {
  return path.every((step, index) => step === steps[index])
}

function pointerOf(steps: string[]): string {
  return steps.map((step) => `/${step}`).join('')
}

// Integers in a pointer are list indexes: no field has a numeric name.
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
