import type { AssignmentRecord, AssignmentVersion } from '../../contract/operator/shipments.js'
import type { ShippedLine } from '../../contract/public/purchase-order.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { shippedFault } from '../../domain/purchase-orders/assignment.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { packingWarnings } from '../../domain/shipments/shipment-warnings.js'
import { findVersions, type PresentVersion } from '../../ledger/history.js'
import { findRecord } from '../../ledger/records.js'
import { Transaction } from '../../ledger/transaction.js'
import { assignmentId } from '../../store/assignments.js'
import { getShownOrder } from './purchase-order-record.js'

export async function getAssignment(
  { sql }: Transaction,
  account: AccountId,
  wanted: { reference: string; line: string; svc_shipment_id: string },
): Promise<AssignmentRecord> {
  const record = await findRecord(sql, account, 'assignment', assignmentId(wanted))
  if (!record) throw new Refusal('assignment_not_found')
  return record
}

/** Refuses a change that is based on another revision than the present one; 0 stands for no assignment. */
export async function refuseOtherAssignmentRevision(
  { sql }: Transaction,
  account: AccountId,
  named: { reference: string; line: string; svc_shipment_id: string },
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined) return
  const id = assignmentId(named)
  const current = (await findVersions(sql, account, 'assignment', [id])).get(id)?.revision ?? 0
  if (current !== expected) throw new Refusal('assignment_changed', `Its revision is ${current}.`)
}

/** Refuses packed lines that name a container that the shipment does not have. */
export function refuseUnknownContainers(lines: ShippedLine[], shipment: ShipmentRecord): void {
  const known = new Set(numbersOf(shipment))
  const faults = lines.flatMap(({ container_number }, index) =>
    container_number === undefined || known.has(container_number)
      ? []
      : [
          {
            pointer: `/shipped_order_lines/${index}/container_number`,
            detail: 'the shipment has no container of this number',
          },
        ],
  )
  if (faults.length > 0) throw invalid(faults)
}

export function quantityExceeded({ detail }: Fault): Refusal {
  return new Refusal('quantity_exceeded', `This ${detail}.`)
}

/** Stores an assignment, and returns it with the order that shows it. */
export async function saveAssignment(
  tx: Transaction,
  account: AccountId,
  assignment: AssignmentRecord,
): Promise<AssignmentVersion> {
  const excess = shippedFault(assignment)
  if (excess) throw quantityExceeded(excess)
  const {
    reference,
    line,
    svc_shipment_id,
    assigned_quantity,
    shipped_order_lines = [],
    over_shipment_reason,
  } = assignment
  const reason = over_shipment_reason === undefined ? {} : { over_shipment_reason }
  const record = { reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines, ...reason }
  const id = assignmentId(record)
  tx.put('assignment', [{ record, before: await findRecord(tx.sql, account, 'assignment', id) }])
  await tx.derive()
  const [versions, order] = await Promise.all([
    findVersions(tx.sql, account, 'assignment', [id]),
    getShownOrder(tx.sql, account, reference),
  ])
  const { revision, recorded_at, recorded_by } = versions.get(id) as PresentVersion
  const warnings = packingWarnings(shipped_order_lines)
  return { id, revision, recorded_at, recorded_by, record, order, ...(warnings.length > 0 && { warnings }) }
}
