import type { Generated } from 'kysely'
import type {
  assignedRow,
  containerRow,
  lineRow,
  loadRow,
  orderRow,
  shipmentRow,
  shippedRow,
} from '../normalised/rows.js'

/** The columns of a row that the database numbers: what may be left out of it is null. */
type Table<Row> = { id: Generated<number> } & {
  [Name in Exclude<keyof Row, 'id'>]-?: undefined extends Row[Name] ? Exclude<Row[Name], undefined> | null : Row[Name]
}

export type Tables = {
  keys: { id: number; account_id: number; hash: Buffer; can_read: boolean; can_write: boolean }
  shipments: Table<ReturnType<typeof shipmentRow>>
  containers: Table<ReturnType<typeof containerRow>>
  loads: Table<ReturnType<typeof loadRow>>
  purchase_orders: Table<ReturnType<typeof orderRow>>
  order_lines: Table<ReturnType<typeof lineRow>>
  assigned_lines: Table<ReturnType<typeof assignedRow>>
  shipped_lines: Table<ReturnType<typeof shippedRow>>
}
