import { type Static, Type } from 'typebox'
import { closed, named } from '../schema.js'

/** A spreadsheet of orders: looked into before anything is saved. */

export const OrderSheetForm = named('OrderSheetForm', {
  file: Type.String({ contentMediaType: 'application/octet-stream', description: 'CSV or XLSX, 10 MiB at most.' }),
})

const row = Type.Integer({ minimum: 1, description: 'As the spreadsheet counts it.' })
const sheet = Type.String({ description: 'Its name, where the file has sheets.' })

const SheetFault = closed(
  { row, detail: Type.String() },
  { sheet, column: Type.String({ description: 'Its heading; absent where the whole row is meant.' }) },
)

export const OrderSheetCheck = named('OrderSheetCheck', {
  columns: Type.Array(Type.String(), {
    description: 'The headings; the letter of a column that has values, but no heading.',
  }),
  rows: Type.Array(closed({ row, cells: Type.Array(Type.String()) }, { sheet }), {
    description: 'The first 200, and all that have one of the faults. Long cells are shortened.',
  }),
  row_count: Type.Integer({ minimum: 0 }),
  order_count: Type.Integer({ minimum: 0 }),
  faults: Type.Array(SheetFault, { description: 'The first 5,000.' }),
  fault_count: Type.Integer({ minimum: 0 }),
  unread_sheets: Type.Array(Type.String(), { description: 'Sheets in which no heading is known.' }),
})
export type OrderSheetCheck = Static<typeof OrderSheetCheck>

export const OrderSheetSaved = named('OrderSheetSaved', { created: Type.Array(Type.String()) })
export type OrderSheetSaved = Static<typeof OrderSheetSaved>
