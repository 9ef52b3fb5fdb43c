import { Big } from 'big.js'
import type { Fault } from '../../contract/refusals.js'
import { assignedFault } from '../../domain/assignment.js'
import { groupedBy } from '../../domain/grouping.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-order.js'
import type { Assignment } from '../../storage/assignments.js'
import type { AccountImport } from './account-import.js'
import type { Candidate } from './candidate.js'

/** Rejects the lines of the file that do not hold of one order and of what of it is on shipments. */
export async function judgeOrder(
  work: AccountImport,
  order: Candidate<PurchaseOrderRecord>,
  assignments: Candidate<Assignment>[],
): Promise<void> {
  while (order.data) {
    // The order must leave room for what is on shipments already and stays so.
    const settled = assignments.filter(({ staged }) => !staged)
    const fault = order.staged && roomFault(order.data, settled)
    if (!fault) await judgeAssignments(work, order.data, assignments)
    // A bad assignment leaves in place what it was to replace, which the new order may have no room for.
    const conflict = fault ?? (order.staged && roomFault(order.data, assignments))
    if (!conflict) return
    await order.reject(work, conflict)
  }
  const unknownOrder = { pointer: '/data/reference', detail: 'the account has no such purchase order' }
  for (const assignment of assignments) await assignment.rejectEveryLine(work, unknownOrder)
}

async function judgeAssignments(
  work: AccountImport,
  order: PurchaseOrderRecord,
  assignments: Candidate<Assignment>[],
): Promise<void> {
  const ordered = orderedQuantities(order)
  for (const [line, ofLine] of groupedBy(assignments, ({ data }) => data?.line)) {
    if (line === undefined) continue
    const quantity = ordered.get(line)
    if (quantity !== undefined) await judgeQuantities(work, quantity, ofLine)
    else {
      const unknownLine = { pointer: '/data/line', detail: 'the purchase order has no such line' }
      for (const assignment of ofLine) await assignment.rejectEveryLine(work, unknownLine)
    }
  }
}

// Of too many assignments of a line, those that come last in the file are one too many.
async function judgeQuantities(
  work: AccountImport,
  ordered: number,
  assignments: Candidate<Assignment>[],
): Promise<void> {
  let assigned = assignments.reduce((sum, assignment) => sum.plus(quantityOf(assignment)), new Big(0))
  const byLine = assignments
    .filter(({ staged }) => staged)
    .toSorted((one, other) => lineNumberOf(one) - lineNumberOf(other))
  while (assigned.gt(ordered)) {
    const last = byLine.pop()
    // In two parts, so that nobody adds up thousands of quantities for each that is too many.
    const excess = assignedFault(ordered, [ordered, assigned.minus(ordered).toNumber()])
    if (!last || !excess) return
    assigned = assigned.minus(quantityOf(last))
    await last.reject(work, { ...excess, pointer: `/data${excess.pointer}` })
    assigned = assigned.plus(quantityOf(last))
    if (last.staged) byLine.splice(placeOf(last, byLine), 0, last)
  }
}

function quantityOf({ data }: Candidate<Assignment>): number {
  return data?.assigned_quantity ?? 0
}

function lineNumberOf({ staged }: Candidate<Assignment>): number {
  return staged?.line ?? 0
}

function placeOf(candidate: Candidate<Assignment>, byLine: Candidate<Assignment>[]): number {
  let low = 0
  let high = byLine.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (lineNumberOf(byLine[middle] as Candidate<Assignment>) < lineNumberOf(candidate)) low = middle + 1
    else high = middle
  }
  return low
}

function roomFault(order: PurchaseOrderRecord, assignments: Candidate<Assignment>[]): Fault | undefined {
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
