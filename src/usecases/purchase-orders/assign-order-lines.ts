import type { OrderLineInput } from '../../contract/operator/shipments.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { type Fault, invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { assignedFault, isCounted, namesFault, shippedFault, sumOf } from '../../domain/purchase-orders/assignment.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { readRecords } from '../../ledger/records.js'
import { Transaction } from '../../ledger/transaction.js'
import { getOverShipmentPercent } from '../../store/accounts.js'
import { type Assignment, assignmentId, findAssignmentsOfOrders } from '../../store/assignments.js'

/**
 * Assigns quantities of several order lines to a shipment, on top of what it has of them: all, or none. The fault of each line is
 * reported, so that a form can show all of them at once.
 */
export async function assignOrderLines(
  tx: Transaction,
  account: AccountId,
  shipment: ShipmentRecord,
  given: OrderLineInput[],
): Promise<void> {
  if (given.length === 0) return
  const references = [...new Set(given.map(({ reference }) => reference))]
  const orders = await readRecords(tx.sql, account, 'purchase_order', references)
  const assigned = await findAssignmentsOfOrders(tx.sql, account, references)
  const tolerance = await getOverShipmentPercent(tx.sql, account)
  const { svc_shipment_id } = shipment
  const containers = new Set(numbersOf(shipment))
  const seen = new Set<string>()
  const faults: Fault[] = []
  const puts: { record: Assignment; before: Assignment | undefined }[] = []

  for (const [
    index,
    { reference, line, assigned_quantity, shipped_order_lines = [], over_shipment_reason },
  ] of given.entries()) {
    const at = (pointer: string, detail: string) => faults.push({ pointer: `/order_lines/${index}${pointer}`, detail })
    const id = assignmentId({ reference, line, svc_shipment_id })
    if (seen.has(id)) at('', 'the line is named twice')
    seen.add(id)
    const order = orders.get(reference)
    const orderLine = order?.product_lines.find((each) => each.reference === line)
    if (!orderLine) {
      if (order) at('/line', 'the order has no such line')
      else at('/reference', 'the account has no such order')
      continue
    }
    if (order?.cancellation) at('/reference', 'the order is cancelled')
    const ofLine = assigned.filter((each) => each.reference === reference && each.line === line)
    const before = ofLine.find((each) => each.svc_shipment_id === svc_shipment_id)
    const others = ofLine.filter((each) => each !== before && isCounted(each)).map((each) => each.assigned_quantity)
    const record = {
      reference,
      line,
      svc_shipment_id,
      assigned_quantity: sumOf([before?.assigned_quantity ?? 0, assigned_quantity]),
      shipped_order_lines: [...(before?.shipped_order_lines ?? []), ...shipped_order_lines],
    }
    const tooLong = namesFault(record)
    if (tooLong) at('', tooLong.detail)
    const excess = assignedFault(orderLine.ordered_quantity, [...others, record.assigned_quantity], tolerance)
    if (excess && over_shipment_reason === undefined) at(excess.pointer, excess.detail)
    const overpacked = shippedFault(record)
    if (overpacked) at(overpacked.pointer, overpacked.detail)
    for (const [place, { container_number }] of shipped_order_lines.entries()) {
      if (container_number === undefined || containers.has(container_number)) continue
      at(`/shipped_order_lines/${place}/container_number`, 'the shipment has no container of this number')
    }
    const stored = before && withoutStatus(before)
    puts.push({
      record: { ...record, ...(excess && over_shipment_reason !== undefined && { over_shipment_reason }) },
      before: stored,
    })
  }
  if (faults.length > 0) throw invalid(faults)
  tx.put('assignment', puts)
}

function withoutStatus({
  shipment_status: _status,
  over_shipment_reason,
  ...assignment
}: Assignment & { shipment_status?: unknown }): Assignment {
  return { ...assignment, ...(over_shipment_reason !== undefined && { over_shipment_reason }) }
}
