import type { AssignmentData } from '../../contract/import-line.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { readRecords } from '../../ledger/records.js'
import { getOverShipmentPercent } from '../../store/accounts.js'
import { type Assignment, assignmentId, findAssignmentsOfOrders } from '../../store/assignments.js'
import {
  findCancelledShipments,
  findStagedOfOrders,
  readStagedReferences,
  type StagedVersion,
} from '../../store/staging/staged-records.js'
import { type AccountImport, removeRejected } from './account-import.js'
import { MergedRecord } from './merged-record.js'
import { type Limits, rejectOrderConflicts } from './order-conflicts.js'

/** Validates orders together with their assignments to shipments. */
export async function validateOrders(work: AccountImport): Promise<void> {
  for await (const rows of readStagedReferences(work.tx.sql, work.slug)) {
    await validateBatch(
      work,
      rows.map(({ reference }) => reference),
    )
  }
}

async function validateBatch(work: AccountImport, references: string[]): Promise<void> {
  const { orders: found, limits } = await mergeOrders(work, references)
  for (const { order, assignments: ofOrder } of found) await rejectOrderConflicts(work, order, ofOrder, limits)
  await removeRejected(work)
}

type MergedOrder = { order: MergedRecord<PurchaseOrderRecord>; assignments: MergedRecord<Assignment>[] }

/** Orders and their assignments as they will be after the import. */
export async function mergeOrders(
  { tx, account, slug }: AccountImport,
  references: string[],
): Promise<{ orders: MergedOrder[]; limits: Limits }> {
  const [stagedOrders, stagedAssignments, storedOrders, storedAssignments] = await Promise.all([
    findStagedOfOrders(tx.sql, slug, 'purchase_order', references),
    findStagedOfOrders(tx.sql, slug, 'assignment', references),
    readRecords(tx.sql, account, 'purchase_order', references),
    findAssignmentsOfOrders(tx.sql, account, references),
  ])
  const tolerance = await getOverShipmentPercent(tx.sql, account)
  const stagedOf = new Map(stagedOrders.map((row) => [row.id, row]))
  const merged = mergeAssignments(storedAssignments, stagedAssignments)
  const shipments = [...new Set(merged.flatMap(({ data }) => data?.svc_shipment_id ?? []))]
  const cancelled = await findCancelledShipments(tx.sql, slug, account, shipments)
  const assignmentsOf = groupedBy(merged, ({ data }) => data?.reference)
  return {
    orders: references.map((reference) => ({
      order: new MergedRecord(orders, storedOrders.get(reference), stagedOf.get(reference)),
      assignments: assignmentsOf.get(reference) ?? [],
    })),
    limits: { tolerance, cancelled },
  }
}

const orders = {
  kind: 'purchase_order' as const,
  read: (record: string) => JSON.parse(record) as PurchaseOrderRecord,
}
const assignments = {
  kind: 'assignment' as const,
  read: (record: string): Assignment => {
    const data = JSON.parse(record) as AssignmentData
    return { ...data, shipped_order_lines: data.shipped_order_lines ?? [] }
  },
}

function mergeAssignments(stored: Assignment[], staged: StagedVersion[]): MergedRecord<Assignment>[] {
  const storedOf = new Map(stored.map((assignment) => [assignmentId(assignment), assignment]))
  const stagedOf = new Map(staged.map((row) => [row.id, row]))
  const ids = new Set([...storedOf.keys(), ...stagedOf.keys()])
  return [...ids].map((id) => new MergedRecord(assignments, storedOf.get(id), stagedOf.get(id)))
}
