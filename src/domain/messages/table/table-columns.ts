import {
  referenceFields,
  type TableColumns,
  type TableField,
  type TableHeading,
} from '../../../contract/operator/tables.js'
import { plainHeading } from '../../records/column-headings.js'
import { fieldOfHeading } from './table-headings.js'

/** Which column of a table is which field: by the mapping of its sender, and by the words of the headings. */

/** A text as it is shown; a date or time of a spreadsheet, which has no zone; or why there is no value. */
export type TableCell = string | { date: string } | { error: string }
export type TableRow = { number: number; cells: TableCell[] }
export type TableSheet = { name: string | undefined; rows: TableRow[] }

export type Column = { index: number; heading: string }

/** The columns of a sheet: one for a field, or several for a reference. */
export type SheetColumns = {
  sheet: string | undefined
  columns: Map<TableField, Column[]>
  headings: TableHeading[]
  /** Rows below the headings. */
  rows: TableRow[]
  /** What is missing so that rows can be events. */
  missing: string[]
}

const ofSeveral = new Set<TableField>(referenceFields)
// Titles may be above the headings.
const mostTitles = 20

/** The row of a sheet with the headings: the first that has all that is needed, or else the one that has most. */
export function columnsOf({ name, rows }: TableSheet, settings: TableColumns): SheetColumns {
  const candidates = rows.slice(0, mostTitles).map((row, index) => ({
    ...columnsIn(row, name, settings),
    rows: rows.slice(index + 1),
  }))
  const whole = candidates.find(({ missing }) => missing.length === 0)
  if (whole) return whole
  const [best] = candidates.toSorted((one, other) => other.columns.size - one.columns.size)
  return best ?? { sheet: name, columns: new Map(), headings: [], rows: [], missing: ['any heading'] }
}

function columnsIn({ cells }: TableRow, sheet: string | undefined, settings: TableColumns): SheetColumns {
  const mapped = new Map((settings.columns ?? []).map(({ heading, field }) => [plainHeading(heading), field]))
  const columns = new Map<TableField, Column[]>()
  const add = (field: TableField, column: Column): boolean => {
    const known = columns.get(field)
    if (known && !ofSeveral.has(field)) return false
    columns.set(field, [...(known ?? []), column])
    return true
  }
  const given = cells.flatMap((cell, index) =>
    typeof cell === 'string' && cell !== '' ? { index, heading: cell } : [],
  )
  const found = new Map<number, TableHeading['field']>()
  // What the sender's mapping says comes before what the words say.
  for (const column of given) {
    const field = mapped.get(plainHeading(column.heading))
    if (field === undefined) continue
    found.set(column.index, field === 'ignored' || add(field, column) ? field : 'unknown')
  }
  for (const column of given) {
    if (found.has(column.index)) continue
    const field = fieldOfHeading(column.heading)
    found.set(column.index, field && add(field, column) ? field : 'unknown')
  }
  const constant = new Set((settings.constants ?? []).map(({ field }) => field))
  const has = (...fields: TableField[]) => fields.some((field) => columns.has(field) || constant.has(field))
  // Many tables call what happened a status.
  const statuses = columns.get('status')
  if (statuses && !has('event', 'code')) {
    columns.delete('status')
    columns.set('event', statuses)
    for (const { index } of statuses) found.set(index, 'event')
  }
  const missing = [
    ...(has(...referenceFields) ? [] : ['a reference']),
    ...(has('event', 'code') ? [] : ['what happened']),
    ...(has('date') ? [] : ['the date']),
  ]
  const headings = given.map(({ index, heading }) => ({
    heading: shortened(heading),
    column: letterOf(index),
    field: found.get(index) ?? 'unknown',
    ...(sheet !== undefined && { sheet }),
  }))
  return { sheet, columns, headings, rows: [], missing }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text
}

/** The letter of a column: 0 is A, 26 is AA. */
export function letterOf(index: number): string {
  const before = Math.floor(index / 26)
  return `${before === 0 ? '' : letterOf(before - 1)}${String.fromCodePoint(65 + (index % 26))}`
}

/** Why rows cannot be read as events, with the headings that nobody has explained. */
export function describeMissing({ sheet, missing, headings }: SheetColumns): string {
  const unknown = headings.filter(({ field }) => field === 'unknown').map(({ heading }) => JSON.stringify(heading))
  const where = sheet === undefined ? '' : ` in sheet ${JSON.stringify(shortened(sheet))}`
  const list = unknown.length === 0 ? '' : `; not recognised: ${unknown.slice(0, 20).join(', ')}`
  return `has no heading${where} for ${missing.join(' and ')}${list}. Say what they stand for in the columns of the sender, and replay the message`
}
