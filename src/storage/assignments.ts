import type { ShippedLine } from '../contract/purchase-order.js'
import type { ShipmentStatus } from '../contract/shipment.js'
import { asJson, type Reader } from './database.js'
import type { AccountId, Transaction } from './transaction.js'

export type Assignment = {
  reference: string
  line: string
  svc_shipment_id: string
  assigned_quantity: number
  shipped_order_lines: ShippedLine[]
}

export type AssignmentWithStatus = Assignment & { shipment_status: ShipmentStatus | undefined }

/** An assignment has no identifier of its own: it is the line of an order on a shipment. */
export function assignmentId({
  reference,
  line,
  svc_shipment_id,
}: Omit<Assignment, 'assigned_quantity' | 'shipped_order_lines'>) {
  return JSON.stringify([reference, line, svc_shipment_id])
}

export async function saveAssignments(
  tx: Transaction,
  account: AccountId,
  rows: (Assignment & { record: string; what: 'created' | 'updated' })[],
): Promise<void> {
  const given = asJson(rows, ({ record: _record, what: _what, shipped_order_lines, ...row }) => ({
    ...row,
    shipped_order_lines: JSON.stringify(shipped_order_lines),
  }))
  await tx.sql`
    insert into assignments
      (account_id, reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, revision)
    select ${account}, reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, ${tx.revision}
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      reference text, line text, svc_shipment_id text, assigned_quantity double precision, shipped_order_lines text)
    on conflict (account_id, reference, line, svc_shipment_id) do update
    set assigned_quantity = excluded.assigned_quantity, shipped_order_lines = excluded.shipped_order_lines,
      revision = excluded.revision`
  await tx.record(
    rows.map((row) => ({ kind: 'assignment', id: assignmentId(row), what: row.what, record: row.record })),
  )
}

/** False when there is no such assignment. */
export async function removeAssignment(
  tx: Transaction,
  account: AccountId,
  assignment: Pick<Assignment, 'reference' | 'line' | 'svc_shipment_id'>,
  reason: string | undefined,
): Promise<boolean> {
  const removed = await tx.sql`
    delete from assignments
    where account_id = ${account} and reference = ${assignment.reference} and line = ${assignment.line}
      and svc_shipment_id = ${assignment.svc_shipment_id}
    returning line`
  if (removed.length === 0) return false
  await tx.record([{ kind: 'assignment', id: assignmentId(assignment), what: 'removed', reason }])
  return true
}

export async function isPurchaseOrderAssigned(
  tx: Transaction,
  account: AccountId,
  reference: string,
): Promise<boolean> {
  const found = await tx.sql`
    select from assignments where account_id = ${account} and reference = ${reference} limit 1`
  return found.length > 0
}

export async function findAssignmentsOfOrders(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<AssignmentWithStatus[]> {
  const rows = await db<AssignmentRow[]>`
    select reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, status as shipment_status
    from assignments left join shipments using (account_id, svc_shipment_id)
    where account_id = ${account} and reference = any(${references})
    order by reference, line, svc_shipment_id`
  return rows.map(assignmentOf)
}

export async function findAssignmentsOfShipments(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Assignment[]> {
  const rows = await db<AssignmentRow[]>`
    select reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, null as shipment_status
    from assignments
    where account_id = ${account} and svc_shipment_id = any(${shipments})
    order by svc_shipment_id, reference, line`
  return rows.map(assignmentOf)
}

type AssignmentRow = Omit<AssignmentWithStatus, 'shipped_order_lines' | 'shipment_status'> & {
  shipped_order_lines: string
  shipment_status: ShipmentStatus | null
}

function assignmentOf(row: AssignmentRow): AssignmentWithStatus {
  return {
    ...row,
    shipped_order_lines: JSON.parse(row.shipped_order_lines) as ShippedLine[],
    shipment_status: row.shipment_status ?? undefined,
  }
}
