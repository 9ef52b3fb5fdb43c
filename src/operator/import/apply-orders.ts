import type { AssignmentData } from '../../contract/import-line.js'
import { groupedBy } from '../../domain/grouping.js'
import { type PurchaseOrderRecord, renderPurchaseOrder } from '../../domain/purchase-order.js'
import { type Assignment, assignmentId, findAssignmentsOfOrders } from '../../storage/assignments.js'
import { rerenderPurchaseOrders, savePurchaseOrderBodies } from '../../storage/purchase-orders.js'
import { findRecords } from '../../storage/records.js'
import {
  findStagedOfOrders,
  readStagedReferences,
  type StagedRecord,
  type StagedVersion,
} from '../../storage/staged-records.js'
import { saveStagedAssignments } from '../../storage/staged-saving.js'
import { type AccountImport, recordChanged, shipmentStatuses, takeOutRejected } from './account-import.js'
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

  const kept: Kept = { orders: [], assignments: [], bodies: new Map() }
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
    if (order.staged) kept.orders.push(order.staged)
    kept.assignments.push(...assigned.flatMap(({ staged }) => staged?.id ?? []))
    const shown = assigned
      .flatMap(({ data }) => data ?? [])
      .map((assignment) => ({ ...assignment, shipment_status: statuses.get(assignment.svc_shipment_id) }))
    kept.bodies.set(reference, JSON.stringify(renderPurchaseOrder(order.data, shown)))
  }
  await takeOutRejected(work)
  await store(work, kept)
}

type Kept = { orders: StagedRecord[]; assignments: string[]; bodies: Map<string, string> }

async function store(work: AccountImport, kept: Kept): Promise<void> {
  const { tx, account, slug } = work
  const references = kept.orders.map(({ id }) => id)
  const changed = new Set(await recordChanged(work, 'purchase_order', references))
  if (changed.size > 0) {
    const rows = kept.orders
      .filter(({ id }) => changed.has(id))
      .map(({ id, stored_at }) => ({
        reference: id,
        body: kept.bodies.get(id) as string,
        stored_at: stored_at ?? undefined,
      }))
    await savePurchaseOrderBodies(tx, account, rows)
  }
  const assigned = await recordChanged(work, 'assignment', kept.assignments)
  if (assigned.length > 0) await saveStagedAssignments(tx, account, slug, assigned)
  const others = [...kept.bodies].filter(([reference]) => !changed.has(reference))
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
