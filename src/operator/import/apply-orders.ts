import type { AssignmentData } from '../../contract/import-line.js'
import type { Fault } from '../../contract/refusals.js'
import type { ShipmentStatus } from '../../contract/shipment.js'
import { assignedFault } from '../../domain/assignment.js'
import { groupedBy } from '../../domain/grouping.js'
import { type PurchaseOrderRecord, renderPurchaseOrder } from '../../domain/purchase-order.js'
import { type Assignment, findAssignmentsOfOrders, saveAssignments } from '../../storage/assignments.js'
import { findStagedOfOrders, readStagedReferences, type StagedRecord } from '../../storage/import-staging.js'
import { rerenderPurchaseOrders, savePurchaseOrders } from '../../storage/purchase-orders.js'
import { findRecords } from '../../storage/records.js'
import { type AccountImport, changedRecords, shipmentStatuses, unknownShipment } from './account-import.js'

/** Orders and what of them is on which shipment: they are judged together. */
export async function applyOrders(work: AccountImport): Promise<void> {
  for await (const rows of readStagedReferences(work.tx.sql, work.slug)) {
    await applyBatch(
      work,
      rows.map(({ reference }) => reference),
    )
  }
}

type Candidate = Assignment & { staged?: StagedRecord; stored?: Assignment }

async function applyBatch(work: AccountImport, references: string[]): Promise<void> {
  const { tx, account, slug } = work
  const stagedOrders = new Map(
    (await findStagedOfOrders(tx.sql, slug, 'purchase_order', references)).map((row) => [row.id, row]),
  )
  const stagedAssignments = await findStagedOfOrders(tx.sql, slug, 'assignment', references)
  const storedOrders = await findRecords(tx.sql, account, 'purchase_order', references)
  const storedAssignments = await findAssignmentsOfOrders(tx.sql, account, references)

  const candidates = overlay(storedAssignments, stagedAssignments)
  const statuses = await shipmentStatuses(
    work,
    candidates.map(({ svc_shipment_id }) => svc_shipment_id),
  )
  const candidatesOf = groupedBy(candidates, ({ reference }) => reference)

  const acceptedOrders: StagedRecord[] = []
  const acceptedAssignments: StagedRecord[] = []
  const bodies = new Map<string, string>()
  for (const reference of references) {
    const staged = stagedOrders.get(reference)
    const stored = storedOrders.get(reference)
    const verdict = judge(work, {
      staged: staged && { ...staged, order: JSON.parse(staged.record) as PurchaseOrderRecord },
      stored: stored === undefined ? undefined : (JSON.parse(stored) as PurchaseOrderRecord),
      candidates: candidatesOf.get(reference) ?? [],
      statuses,
    })
    if (!verdict) continue
    if (staged && verdict.acceptsOrder) acceptedOrders.push(staged)
    acceptedAssignments.push(...verdict.assignments.flatMap((assignment) => assignment.staged ?? []))
    bodies.set(
      reference,
      JSON.stringify(renderPurchaseOrder(verdict.order, withStatuses(verdict.assignments, statuses))),
    )
  }
  await store(work, acceptedOrders, acceptedAssignments, bodies)
}

async function store(
  work: AccountImport,
  orders: StagedRecord[],
  assignments: StagedRecord[],
  bodies: Map<string, string>,
): Promise<void> {
  const { tx, account } = work
  const changedOrders = await changedRecords<PurchaseOrderRecord>(work, 'purchase_order', orders)
  if (changedOrders.length > 0) {
    await savePurchaseOrders(
      tx,
      account,
      changedOrders.map(({ data, record, what, stored_at }) => ({
        reference: data.reference,
        body: bodies.get(data.reference) as string,
        record,
        what,
        stored_at,
      })),
    )
  }
  const changedAssignments = await changedRecords<AssignmentData>(work, 'assignment', assignments)
  if (changedAssignments.length > 0) {
    await saveAssignments(
      tx,
      account,
      changedAssignments.map(({ data, record, what }) => ({ ...assignmentOf(data), record, what })),
    )
  }
  const saved = new Set(changedOrders.map(({ data }) => data.reference))
  const others = [...bodies].filter(([reference]) => !saved.has(reference))
  if (others.length > 0) {
    await rerenderPurchaseOrders(
      tx,
      account,
      others.map(([reference, body]) => ({ reference, body })),
    )
  }
}

function assignmentOf(data: AssignmentData): Assignment {
  return { ...data, shipped_order_lines: data.shipped_order_lines ?? [] }
}

// In the order in which assignments are shown, whether stored or new.
function overlay(stored: Assignment[], staged: StagedRecord[]): Candidate[] {
  const keyOf = ({ reference, line, svc_shipment_id }: Assignment) => JSON.stringify([reference, line, svc_shipment_id])
  const candidates = new Map<string, Candidate>(
    stored.map((assignment) => [keyOf(assignment), { ...assignment, stored: assignment }]),
  )
  for (const row of staged) {
    const assignment = assignmentOf(JSON.parse(row.record) as AssignmentData)
    const before = candidates.get(keyOf(assignment))?.stored
    candidates.set(keyOf(assignment), { ...assignment, staged: row, ...(before && { stored: before }) })
  }
  return [...candidates.values()].toSorted(
    (one, other) =>
      compare(one.reference, other.reference) ||
      compare(one.line, other.line) ||
      compare(one.svc_shipment_id, other.svc_shipment_id),
  )
}

// By bytes, as the database does.
function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

type Case = {
  staged: (StagedRecord & { order: PurchaseOrderRecord }) | undefined
  stored: PurchaseOrderRecord | undefined
  candidates: Candidate[]
  statuses: Map<string, ShipmentStatus | undefined>
}

type Verdict = { order: PurchaseOrderRecord; assignments: Candidate[]; acceptsOrder: boolean }

/** Which of the staged order and assignments hold; undefined when there is no order at all. */
function judge(work: AccountImport, { staged, stored, candidates, statuses }: Case): Verdict | undefined {
  const { report } = work
  let assignments = candidates
  const reject = (candidate: Candidate, fault: Fault) => {
    if (!candidate.staged) return
    report.reject(candidate.staged.line, [fault])
    assignments = assignments.flatMap((other) => (other !== candidate ? other : (other.stored ?? [])))
  }

  // The order must leave room for what is on shipments already and stays so.
  const settled = candidates.filter(({ staged: line }) => !line)
  const fault = staged && orderFault(staged.order, settled)
  if (staged && fault) report.reject(staged.line, [fault])
  const order = staged && !fault ? staged.order : stored
  if (!order) {
    for (const candidate of candidates) {
      reject(candidate, { pointer: '/data/reference', detail: 'the account has no such purchase order' })
    }
    return undefined
  }

  for (const candidate of candidates) {
    if (!statuses.has(candidate.svc_shipment_id)) reject(candidate, unknownShipment)
    else if (!order.product_lines.some(({ reference }) => reference === candidate.line)) {
      reject(candidate, { pointer: '/data/line', detail: 'the purchase order has no such line' })
    }
  }
  for (const { reference, ordered_quantity } of order.product_lines) {
    // Of too many assignments of a line, those that come last in the file are one too many.
    for (;;) {
      const ofLine = assignments.filter(({ line }) => line === reference)
      const excess = assignedFault(
        ordered_quantity,
        ofLine.map(({ assigned_quantity }) => assigned_quantity),
      )
      const last = ofLine
        .filter((candidate) => candidate.staged)
        .toSorted(byLine)
        .at(-1)
      if (!excess || !last) break
      reject(last, { ...excess, pointer: `/data${excess.pointer}` })
    }
  }
  // A bad assignment leaves in place what it was to replace, which the new order may have no room for.
  const conflict = staged && !fault && orderFault(staged.order, assignments)
  if (conflict) {
    report.reject(staged.line, [conflict])
    return judge(work, { staged: undefined, stored, candidates: assignments, statuses })
  }
  return { order, assignments, acceptsOrder: order === staged?.order }
}

function byLine(one: Candidate, other: Candidate): number {
  return (one.staged?.line ?? 0) - (other.staged?.line ?? 0)
}

function orderFault(order: PurchaseOrderRecord, settled: Assignment[]): Fault | undefined {
  for (const [line, assignments] of groupedBy(settled, (assignment) => assignment.line)) {
    const ordered = order.product_lines.find(({ reference }) => reference === line)
    const assigned = assignments.map(({ assigned_quantity }) => assigned_quantity)
    if (!ordered)
      return { pointer: '/data/product_lines', detail: `leaves out line ${line}, which is assigned to a shipment` }
    const excess = assignedFault(ordered.ordered_quantity, assigned)
    if (excess) return { pointer: '/data/product_lines', detail: `line ${line} ${excess.detail}` }
  }
  return undefined
}

function withStatuses(assignments: Candidate[], statuses: Map<string, ShipmentStatus | undefined>) {
  return assignments.map(({ staged: _staged, stored: _stored, ...assignment }) => ({
    ...assignment,
    shipment_status: statuses.get(assignment.svc_shipment_id),
  }))
}
