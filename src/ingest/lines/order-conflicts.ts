import { Big } from 'big.js'
import type { Fault } from '../../contract/refusals.js'
import { assignedFault } from '../../domain/purchase-orders/assignment.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../../domain/records/grouping.js'
import type { Assignment } from '../../store/assignments.js'
import type { AccountImport } from './account-import.js'
import type { MergedRecord } from './merged-record.js'

/** Rejects lines of an order and of its assignments that contradict each other. */
export async function rejectOrderConflicts(
  work: AccountImport,
  order: MergedRecord<PurchaseOrderRecord>,
  assignments: MergedRecord<Assignment>[],
): Promise<void> {
  while (order.data) {
    // The order must cover the stored assignments that the file does not replace.
    const settled = assignments.filter(({ staged }) => !staged)
    const fault = order.staged && roomFault(order.data, settled)
    if (!fault) await rejectAssignments(work, order.data, assignments)
    // A rejected assignment leaves the stored one in place, which the new order may not cover.
    const conflict = fault ?? (order.staged && roomFault(order.data, assignments))
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
): Promise<void> {
  const ordered = orderedQuantities(order)
  for (const [line, ofLine] of groupedBy(assignments, ({ data }) => data?.line)) {
    if (line === undefined) continue
    const quantity = ordered.get(line)
    if (quantity !== undefined) await rejectExcess(work, quantity, ofLine)
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
): Promise<void> {
  let assigned = assignments.reduce((sum, assignment) => sum.plus(quantityOf(assignment)), new Big(0))
  const byLine = assignments
    .filter(({ staged }) => staged)
    .toSorted((one, other) => lineNumberOf(one) - lineNumberOf(other))
  while (assigned.gt(ordered)) {
    const last = byLine.pop()
    // Two summands: adding up all assignments again for each rejected one would be quadratic.
    const excess = assignedFault(ordered, [ordered, assigned.minus(ordered).toNumber()])
    if (!last || !excess) return
    assigned = assigned.minus(quantityOf(last))
    await last.reject(work, { ...excess, pointer: `/data${excess.pointer}` })
    assigned = assigned.plus(quantityOf(last))
    if (last.staged) byLine.splice(placeOf(last, byLine), 0, last)
  }
}

function quantityOf({ data }: MergedRecord<Assignment>): number {
  return data?.assigned_quantity ?? 0
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

function roomFault(order: PurchaseOrderRecord, assignments: MergedRecord<Assignment>[]): Fault | undefined {
  const ordered = orderedQuantities(order)
  const present = assignments.flatMap(({ data }) => data ?? [])
  for (const [line, ofLine] of groupedBy(present, (assignment) => assignment.line)) {
    const quantity = ordered.get(line)
    if (quantity === undefined) {
      return { pointer: '/data/product_lines', detail: `leaves out line ${line}, which is assigned to a shipment` }
    }
    const excess = assignedFault(
      quantity,
      ofLine.map(({ assigned_quantity }) => assigned_quantity),
    )
    if (excess) return { pointer: '/data/product_lines', detail: `line ${line} ${excess.detail}` }
  }
  return undefined
}

function orderedQuantities({ product_lines }: PurchaseOrderRecord): Map<string, number> {
  return new Map(product_lines.map(({ reference, ordered_quantity }) => [reference, ordered_quantity]))
}
