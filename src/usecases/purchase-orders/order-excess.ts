import type { AccountId } from '../../database/account-id.js'
import { assignedFault, isCounted } from '../../domain/purchase-orders/assignment.js'
import { readRecords } from '../../ledger/records.js'
import { Transaction } from '../../ledger/transaction.js'
import { getOverShipmentPercent } from '../../store/accounts.js'
import { findAssignmentsOfOrders, findAssignmentsOfShipments } from '../../store/assignments.js'
import { quantityExceeded } from './assignment-record.js'

/** Refuses to count the quantities of a cancelled shipment again where others have been assigned in their place. */
export async function refuseExcessOf(tx: Transaction, account: AccountId, shipment: string): Promise<void> {
  const own = await findAssignmentsOfShipments(tx.sql, account, [shipment])
  if (own.length === 0) return
  const references = [...new Set(own.map(({ reference }) => reference))]
  const all = await findAssignmentsOfOrders(tx.sql, account, references)
  const orders = await readRecords(tx.sql, account, 'purchase_order', references)
  const tolerance = await getOverShipmentPercent(tx.sql, account)
  for (const { reference, line, over_shipment_reason } of own) {
    const ordered = orders.get(reference)?.product_lines.find((each) => each.reference === line)?.ordered_quantity
    if (ordered === undefined || over_shipment_reason !== undefined) continue
    const counted = all.filter(
      (each) =>
        each.reference === reference && each.line === line && (each.svc_shipment_id === shipment || isCounted(each)),
    )
    const excess = assignedFault(
      ordered,
      counted.map(({ assigned_quantity }) => assigned_quantity),
      tolerance,
    )
    if (excess) throw quantityExceeded(excess)
  }
}
