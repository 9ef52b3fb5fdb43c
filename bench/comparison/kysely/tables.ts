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

/** A table whose `id` the database generates; optional fields are null. */
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
  idempotency_keys: { account_id: number; key: string; fingerprint: Buffer; status: number; body: string }
}
