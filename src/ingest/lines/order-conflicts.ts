import { Big } from 'big.js'
import type { Fault } from '../../contract/refusals.js'
import { assignedFault, mostAssigned } from '../../domain/purchase-orders/assignment.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../../domain/records/grouping.js'
import type { Assignment } from '../../store/assignments.js'
import type { AccountImport } from './account-import.js'
import type { MergedRecord } from './merged-record.js'

/** The tolerance of the account in percent, and the shipments that are cancelled, which give their quantities back. */
export type Limits = { tolerance: number; cancelled: Set<string> }

/** Rejects lines of an order and of its assignments that contradict each other. */
export async function rejectOrderConflicts(
  work: AccountImport,
  order: MergedRecord<PurchaseOrderRecord>,
  assignments: MergedRecord<Assignment>[],
  limits: Limits,
): Promise<void> {
  while (order.data) {
    // The order must cover the stored assignments that the file does not replace.
    const settled = assignments.filter(({ staged }) => !staged)
    const fault = order.staged && roomFault(order.data, settled, limits)
    if (!fault) await rejectAssignments(work, order.data, assignments, limits)
    // A rejected assignment leaves the stored one in place, which the new order may not cover.
    const conflict = fault ?? (order.staged && roomFault(order.data, assignments, limits))
    if (!conflict) return
    await order.reject(work, conflict)
  }
  const unknownOrder = { pointer: '/data/reference', detail: 'the account has no such purchase order' }
  for (const assignment of assignments) await assignment.rejectEveryLine(work, unknownOrder)
}

async function rejectAssignments(
  work: AccountImport,
  order: PurchaseOrderRecord,
  assignments: MergedRecord<Assignment>[],
  limits: Limits,
): Promise<void> {
  const ordered = orderedQuantities(order)
  for (const [line, ofLine] of groupedBy(assignments, ({ data }) => data?.line)) {
    if (line === undefined) continue
    const quantity = ordered.get(line)
    if (quantity !== undefined) await rejectExcess(work, quantity, ofLine, limits)
    else {
      const unknownLine = { pointer: '/data/line', detail: 'the purchase order has no such line' }
      for (const assignment of ofLine) await assignment.rejectEveryLine(work, unknownLine)
    }
  }
}

// Where assignments exceed the ordered quantity, the last lines of the file are rejected first.
async function rejectExcess(
  work: AccountImport,
  ordered: number,
  assignments: MergedRecord<Assignment>[],
  limits: Limits,
): Promise<void> {
  const quantityOf = (assignment: MergedRecord<Assignment>) => countedQuantity(assignment.data, limits)
  const most = mostAssigned(ordered, limits.tolerance)
  if (isOverridden(assignments)) return
  let assigned = assignments.reduce((sum, assignment) => sum.plus(quantityOf(assignment)), new Big(0))
  const byLine = assignments
    .filter((assignment) => assignment.staged && quantityOf(assignment) > 0)
    .toSorted((one, other) => lineNumberOf(one) - lineNumberOf(other))
  while (assigned.gt(most)) {
    const last = byLine.pop()
    // Two summands: adding up all assignments again for each rejected one would be quadratic.
    const excess = assignedFault(ordered, [ordered, assigned.minus(ordered).toNumber()], limits.tolerance)
    if (!last || !excess) return
    assigned = assigned.minus(quantityOf(last))
    await last.reject(work, { ...excess, pointer: `/data${excess.pointer}` })
    assigned = assigned.plus(quantityOf(last))
    if (last.staged) byLine.splice(placeOf(last, byLine), 0, last)
  }
}

function countedQuantity(assignment: Assignment | undefined, { cancelled }: Limits): number {
  return assignment === undefined || cancelled.has(assignment.svc_shipment_id) ? 0 : assignment.assigned_quantity
}

/** An operator decided that more of the line is assigned. */
function isOverridden(assignments: MergedRecord<Assignment>[]): boolean {
  return assignments.some(({ data }) => data?.over_shipment_reason !== undefined)
}

function lineNumberOf({ staged }: MergedRecord<Assignment>): number {
  return staged?.line ?? 0
}

function placeOf(record: MergedRecord<Assignment>, byLine: MergedRecord<Assignment>[]): number {
  let low = 0
  let high = byLine.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (lineNumberOf(byLine[middle] as MergedRecord<Assignment>) < lineNumberOf(record)) low = middle + 1
    else high = middle
  }
  return low
}

function roomFault(
  order: PurchaseOrderRecord,
  assignments: MergedRecord<Assignment>[],
  limits: Limits,
): Fault | undefined {
  const ordered = orderedQuantities(order)
  const leftOut = assignments.find(({ data }) => data && !ordered.has(data.line))?.data?.line
  if (leftOut !== undefined)
    return { pointer: '/data/product_lines', detail: `leaves out line ${leftOut}, which is assigned to a shipment` }
  const [excess] = findExcess(order, assignments, limits)
  return excess && { pointer: '/data/product_lines', detail: `line ${excess.line} ${excess.detail}` }
}

type Excess = { line: string; detail: string; shipments: Set<string> }

/** The lines of which more is assigned than may be, and the shipments to which it is. */
export function findExcess(
  order: PurchaseOrderRecord,
  assignments: MergedRecord<Assignment>[],
  limits: Limits,
): Excess[] {
  const ordered = orderedQuantities(order)
  const found: Excess[] = []
  const present = assignments.flatMap(({ data }) => data ?? [])
  for (const [line, ofLine] of groupedBy(present, (assignment) => assignment.line)) {
    const quantity = ordered.get(line)
    if (quantity === undefined || ofLine.some(({ over_shipment_reason }) => over_shipment_reason !== undefined))
      continue
    const counted = ofLine.filter((assignment) => countedQuantity(assignment, limits) > 0)
    const excess = assignedFault(
      quantity,
      counted.map(({ assigned_quantity }) => assigned_quantity),
      limits.tolerance,
    )
    const shipments = new Set(counted.map(({ svc_shipment_id }) => svc_shipment_id))
    if (excess) found.push({ line, detail: excess.detail, shipments })
  }
  return found
}

// Nothing of a cancelled order can be assigned.
function orderedQuantities({ product_lines, cancellation }: PurchaseOrderRecord): Map<string, number> {
  return new Map(
    product_lines.map(({ reference, ordered_quantity }) => [reference, cancellation ? 0 : ordered_quantity]),
  )
}
