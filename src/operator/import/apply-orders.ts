import type { AssignmentData } from '../../contract/import-line.js'
import { groupedBy } from '../../domain/grouping.js'
import { type PurchaseOrderRecord, renderPurchaseOrder } from '../../domain/purchase-order.js'
import { type Assignment, assignmentId, findAssignmentsOfOrders, saveAssignments } from '../../storage/assignments.js'
import { rerenderPurchaseOrders, savePurchaseOrders } from '../../storage/purchase-orders.js'
import { findRecords } from '../../storage/records.js'
import {
  findStagedOfOrders,
  readStagedReferences,
  type StagedRecord,
  type StagedVersion,
} from '../../storage/staged-records.js'
import { type AccountImport, changedRecords, shipmentStatuses } from './account-import.js'
import { Candidate } from './candidate.js'
import { judgeOrder } from './judge-order.js'

/** Orders and what of them is on which shipment: they are judged together. */
export async function applyOrders(work: AccountImport): Promise<void> {
  for await (const rows of readStagedReferences(work.tx.sql, work.slug, work.account)) {
    await applyBatch(
      work,
      rows.map(({ reference }) => reference),
    )
  }
}

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
    candidates.flatMap(({ data }) => data?.svc_shipment_id ?? []),
  )
  const candidatesOf = groupedBy(candidates, ({ data }) => data?.reference)

  const acceptedOrders: StagedRecord[] = []
  const acceptedAssignments: StagedRecord[] = []
  const bodies = new Map<string, string>()
  for (const reference of references) {
    const stored = storedOrders.get(reference)
    const order = new Candidate(
      orders,
      stored === undefined ? undefined : orders.read(stored),
      stagedOrders.get(reference),
    )
    const assigned = candidatesOf.get(reference) ?? []
    await judgeOrder(work, order, assigned)
    if (!order.data) continue
    if (order.staged) acceptedOrders.push(order.staged)
    acceptedAssignments.push(...assigned.flatMap(({ staged }) => staged ?? []))
    const shown = assigned
      .flatMap(({ data }) => data ?? [])
      .map((assignment) => ({ ...assignment, shipment_status: statuses.get(assignment.svc_shipment_id) }))
    bodies.set(reference, JSON.stringify(renderPurchaseOrder(order.data, shown)))
  }
  await store(work, acceptedOrders, acceptedAssignments, bodies)
}

async function store(
  work: AccountImport,
  acceptedOrders: StagedRecord[],
  acceptedAssignments: StagedRecord[],
  bodies: Map<string, string>,
): Promise<void> {
  const { tx, account } = work
  const changedOrders = await changedRecords<PurchaseOrderRecord>(work, 'purchase_order', acceptedOrders)
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
  const changedAssignments = await changedRecords<AssignmentData>(work, 'assignment', acceptedAssignments)
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

const orders = {
  kind: 'purchase_order' as const,
  read: (record: string) => JSON.parse(record) as PurchaseOrderRecord,
}
const assignments = {
  kind: 'assignment' as const,
  read: (record: string) => assignmentOf(JSON.parse(record) as AssignmentData),
}

function assignmentOf(data: AssignmentData): Assignment {
  return { ...data, shipped_order_lines: data.shipped_order_lines ?? [] }
}

// In the order in which assignments are shown, whether stored or new.
function overlay(stored: Assignment[], staged: StagedVersion[]): Candidate<Assignment>[] {
  const storedOf = new Map(stored.map((assignment) => [assignmentId(assignment), assignment]))
  const stagedOf = new Map(staged.map((row) => [row.id, row]))
  return [...new Set([...storedOf.keys(), ...stagedOf.keys()])]
    .map((id) => new Candidate(assignments, storedOf.get(id), stagedOf.get(id)))
    .toSorted(({ data: one }, { data: other }) => (one && other ? inOrder(one, other) : 0))
}

function inOrder(one: Assignment, other: Assignment): number {
  return (
    compare(one.reference, other.reference) ||
    compare(one.line, other.line) ||
    compare(one.svc_shipment_id, other.svc_shipment_id)
  )
}

// By bytes, as the database does.
function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
