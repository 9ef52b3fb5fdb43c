import { type Static, Type } from 'typebox'
import { closed, named, oneOf } from '../schema.js'

/** A spreadsheet of orders, which is checked before anything is saved. */

export const OrderSheetForm = named('OrderSheetForm', {
  file: Type.String({ contentMediaType: 'application/octet-stream', description: 'CSV or XLSX, at most 10 MiB.' }),
})

const row = Type.Integer({ minimum: 1, description: 'Row number in the spreadsheet.' })
const sheet = Type.String({ description: 'Name of the sheet, if the file has sheets.' })

const SheetFault = closed(
  { row, detail: Type.String() },
  { sheet, column: Type.String({ description: 'Column name; absent for an error of the whole row.' }) },
)

/** How the columns and dates of a sheet are read, where it does not show it. */
export const OrderSheetQuery = closed(
  {},
  {
    columns: Type.String({
      maxLength: 8000,
      description:
        'A JSON object with the column that each heading stands for, such as `{"Colour": "", "Ref": "reference"}`. Empty: the column is ignored.',
    }),
    dates: oneOf(['day-month', 'month-day'], {
      description: 'The order of day and month in dates such as 05/11/2026.',
    }),
  },
)

export const OrderSheetCheck = named('OrderSheetCheck', {
  columns: Type.Array(Type.String(), {
    description: 'Column names; the letter of a column that has values but no name.',
  }),
  rows: Type.Array(closed({ row, cells: Type.Array(Type.String()) }, { sheet }), {
    description: 'The first 200 rows, and all rows with errors. Long cells are truncated.',
  }),
  row_count: Type.Integer({ minimum: 0 }),
  order_count: Type.Integer({ minimum: 0 }),
  faults: Type.Array(SheetFault, { description: 'The first 5,000 errors.' }),
  fault_count: Type.Integer({ minimum: 0 }),
  unknown_columns: Type.Array(Type.String(), {
    description: 'Headings that are not recognised: assign or ignore them in `columns`.',
  }),
  fields: Type.Array(Type.String(), { description: 'The columns that a heading can be assigned to.' }),
  warnings: Type.Array(SheetFault, {
    description: 'The first 200 values that were read in another form than they are written.',
  }),
  unread_sheets: Type.Array(Type.String(), { description: 'Sheets without any known column.' }),
})
export type OrderSheetCheck = Static<typeof OrderSheetCheck>

export const OrderSheetSaved = named('OrderSheetSaved', { created: Type.Array(Type.String()) })
export type OrderSheetSaved = Static<typeof OrderSheetSaved>
