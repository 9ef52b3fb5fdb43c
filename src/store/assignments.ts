import type { ShippedLine } from '../contract/public/purchase-order.js'
import type { ShipmentStatus } from '../contract/public/shipment.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { normalReference } from '../domain/messages/references.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from './account-key.js'
import type { RowWrite } from './write.js'

export type Assignment = {
  reference: string
  line: string
  svc_shipment_id: string
  assigned_quantity: number
  shipped_order_lines: ShippedLine[]
  /** Why it exceeds what the order and the tolerance allow. */
  over_shipment_reason?: string | undefined
}

export type AssignmentWithStatus = Assignment & { shipment_status: ShipmentStatus | undefined }

/** The identifier of an assignment is composed: an order line on a shipment. */
export function assignmentId({
  reference,
  line,
  svc_shipment_id,
}: Pick<Assignment, 'reference' | 'line' | 'svc_shipment_id'>) {
  return JSON.stringify([reference, line, svc_shipment_id])
}

export function saveAssignments({ sql, revision }: RowWrite, account: AccountId, rows: Assignment[]): Fragment {
  const given = asJson(rows, ({ shipped_order_lines, ...row }) => ({
    ...row,
    shipped_order_lines: JSON.stringify(shipped_order_lines),
  }))
  return sql`
    insert into assignments
      (account_id, reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, over_shipment_reason, revision)
    select ${account}, reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, over_shipment_reason, ${revision}
    from jsonb_to_recordset(${given}::text::jsonb) as saved (
      reference text, line text, svc_shipment_id text, assigned_quantity double precision, shipped_order_lines text,
      over_shipment_reason text)
    on conflict (account_id, reference, line, svc_shipment_id) do update
    set assigned_quantity = excluded.assigned_quantity, shipped_order_lines = excluded.shipped_order_lines,
      over_shipment_reason = excluded.over_shipment_reason, revision = excluded.revision`
}

export function deleteAssignment(
  sql: TransactionSql,
  account: AccountId,
  { reference, line, svc_shipment_id }: Pick<Assignment, 'reference' | 'line' | 'svc_shipment_id'>,
): Fragment {
  // The shipment keeps the reference of the order as long as another line of it is assigned.
  return sql`
    with removed as (
      delete from assignments
      where account_id = ${account} and reference = ${reference} and line = ${line}
        and svc_shipment_id = ${svc_shipment_id}
    )
    delete from shipment_references
    where account_id = ${account} and svc_shipment_id = ${svc_shipment_id} and kind = 'purchase_order'
      and reference = ${normalReference(reference)} and not exists (
        select from assignments
        where account_id = ${account} and reference = ${reference} and svc_shipment_id = ${svc_shipment_id}
          and line <> ${line})`
}

export async function isPurchaseOrderAssigned(db: Reader, account: AccountId, reference: string): Promise<boolean> {
  const found = await db`select from assignments where account_id = ${account} and reference = ${reference} limit 1`
  return found.length > 0
}

export async function findAssignmentsOfOrders(
  db: Reader,
  account: AccountId,
  references: string[],
): Promise<AssignmentWithStatus[]> {
  const rows = await db<AssignmentRow[]>`
    select reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, over_shipment_reason, (
      select status from shipments where account_id = ${account} and svc_shipment_id = assigned.svc_shipment_id
    ) as shipment_status
    from unnest(${references}::text[]) as wanted (reference)
    cross join lateral (
      select line, svc_shipment_id, assigned_quantity, shipped_order_lines, over_shipment_reason from assignments
      where account_id = ${account} and reference = wanted.reference offset 0
    ) assigned
    order by reference collate "C", line, svc_shipment_id`
  return rows.map(assignmentOf)
}

export async function findAssignmentsOfShipments(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Assignment[]> {
  return (await lookUpAssignments(db, keysOf(account, shipments))).map(assignmentOf)
}

const lookUpAssignments = lookup<AccountKey, AssignmentRow>(
  (db, keys) => db`
    select place, reference, line, wanted.id as svc_shipment_id, assigned_quantity, shipped_order_lines, over_shipment_reason,
      null as shipment_status
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select reference, line, assigned_quantity, shipped_order_lines, over_shipment_reason from assignments
      where account_id = wanted.account_id and svc_shipment_id = wanted.id offset 0
    ) assigned
    order by wanted.id collate "C", reference, line`,
)

type AssignmentRow = Omit<AssignmentWithStatus, 'shipped_order_lines' | 'over_shipment_reason' | 'shipment_status'> & {
  over_shipment_reason: string | null
  shipped_order_lines: string
  shipment_status: ShipmentStatus | null
}

function assignmentOf(row: AssignmentRow): AssignmentWithStatus {
  return {
    ...row,
    over_shipment_reason: row.over_shipment_reason ?? undefined,
    shipped_order_lines: JSON.parse(row.shipped_order_lines) as ShippedLine[],
    shipment_status: row.shipment_status ?? undefined,
  }
}
