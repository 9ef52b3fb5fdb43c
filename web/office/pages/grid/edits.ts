import { readWrittenDate } from '../../../../src/domain/records/liberal-values.js'
import type { FoundShipment } from '../../api/ops.js'
import { columnFields, type FieldName, patchOf, type Values, valuesOf } from '../shipment/shipment-fields.js'

/** What was typed into the grid and is not stored yet, by shipment. */

export type Edit = {
  account: string
  account_name: string
  svc_shipment_id: string
  /** The version that was on the screen when the first cell was changed, and its values. */
  revision: number
  base: Values
  values: Values
}
export type Edits = Readonly<Record<string, Edit>>

/** A rectangle of cells: rows and columns, inclusive. */
export type Range = { top: number; bottom: number; left: number; right: number }

export const keyOf = ({ account, svc_shipment_id }: { account: string; svc_shipment_id: string }) =>
  `${account} ${svc_shipment_id}`

export const rowKeyOf = ({ account, shipment: { svc_shipment_id } }: FoundShipment) =>
  keyOf({ account, svc_shipment_id })

export function storedValues({ shipment }: FoundShipment): Values {
  return valuesOf(shipment)
}

/** The values of a row as the grid shows them. */
export function shownValues(row: FoundShipment, edits: Edits): Values {
  return edits[rowKeyOf(row)]?.values ?? storedValues(row)
}

/** Sets the cells from a position on. A block of one value fills the whole range. */
export function withBlock(edits: Edits, rows: FoundShipment[], range: Range, block: string[][]): Edits {
  const isOne = block.length === 1 && block[0]?.length === 1
  const height = isOne ? range.bottom - range.top + 1 : block.length
  const width = isOne ? range.right - range.left + 1 : Math.max(0, ...block.map((line) => line.length))
  const next: Record<string, Edit> = { ...edits }
  for (const [down, row] of rows.slice(range.top, range.top + height).entries()) {
    const changed: Partial<Values> = {}
    for (const [across, field] of columnFields.slice(range.left, range.left + width).entries()) {
      const text = isOne ? block[0]?.[0] : block[down]?.[across]
      if (text !== undefined) changed[field.text] = readCell(text, field.type)
    }
    setValues(next, row, changed)
  }
  return next
}

// A row whose values are those that were there before is no longer edited.
function setValues(edits: Record<string, Edit>, row: FoundShipment, changed: Partial<Values>): void {
  const key = rowKeyOf(row)
  const { account, account_name, revision, shipment } = row
  const base = edits[key] ?? { base: storedValues(row), values: storedValues(row), revision }
  const values = { ...base.values, ...changed }
  if (Object.keys(patchOf(base.base, values)).length === 0) delete edits[key]
  else edits[key] = { ...base, account, account_name, svc_shipment_id: shipment.svc_shipment_id, values }
}

/** Dates are read in every form that leaves no doubt; others stay as they were written, and are refused with the reason. */
function readCell(text: string, type: 'date' | undefined): string {
  const value = text.trim()
  if (type !== 'date' || value === '') return value
  const read = readWrittenDate(value)
  return read && 'date' in read ? read.date : value
}

export function cellsOf(rows: FoundShipment[], edits: Edits, range: Range): string[][] {
  const fields = columnFields.slice(range.left, range.right + 1)
  return rows.slice(range.top, range.bottom + 1).map((row) => {
    const values = shownValues(row, edits)
    return fields.map(({ text }) => values[text])
  })
}

export type CellChange = { field: FieldName; before: string; after: string }

export function cellChangesOf({ base, values }: Edit): CellChange[] {
  return columnFields
    .filter(({ text }) => values[text].trim() !== base[text])
    .map(({ text }) => ({ field: text, before: base[text], after: values[text].trim() }))
}
