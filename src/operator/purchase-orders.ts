import type { AssignmentRecord, AssignmentVersion, PurchaseOrderVersion } from '../contract/ops/shipments.js'
import type { PurchaseOrder, ShippedLine } from '../contract/purchase-order.js'
import { invalid, Refusal } from '../contract/refusals.js'
import type { ShipmentRecord } from '../contract/shipment.js'
import { assignedFault, namesFault, shippedFault } from '../domain/assignment.js'
import type { PurchaseOrderRecord } from '../domain/purchase-order.js'
import { numbersOf } from '../domain/shipment-cargo.js'
import { assignmentId, findAssignmentsOfOrders, removeAssignment, saveAssignments } from '../storage/assignments.js'
import type { Reader } from '../storage/database.js'
import { findRevisionAt, findVersions, listVersionsAt, type PresentVersion } from '../storage/history.js'
import { findPurchaseOrderBodies, getPurchaseOrderRecord, listPurchaseOrderBodies } from '../storage/purchase-orders.js'
import { findRecords } from '../storage/records.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import { ordersShownAt } from './as-of.js'
import { refreshPurchaseOrders, refreshShipments } from './derivation.js'
import type { OperatorHandlers } from './handlers.js'
import { envelopeOf, getVersion, isUnchanged } from './versions.js'

export const purchaseOrderHandlers: OperatorHandlers<
  'listPurchaseOrders' | 'getPurchaseOrder' | 'assign' | 'pack' | 'unassign'
> = {
  async listPurchaseOrders({ db, account }, { query: { skip = 0, take = 20, as_of } }) {
    if (as_of !== undefined) {
      const revision = await findRevisionAt(db, account, as_of)
      const versions = await listVersionsAt(db, account, 'purchase_order', revision, { skip, take })
      const shown = await ordersShownAt(db, account, versions, revision)
      return versions.map((version) => versionOf(version, shown.get(version.id)))
    }
    const page = await listPurchaseOrderBodies(db, account, { skip, take })
    const ids = page.map(({ id }) => id)
    const versions = await findVersions(db, account, 'purchase_order', ids)
    return page.flatMap(({ id, body }) => {
      const version = versions.get(id)
      return version ? [versionOf(version, JSON.parse(body) as PurchaseOrder)] : []
    })
  },

  async getPurchaseOrder({ db, account }, { params: { reference }, query: { as_of } }) {
    const { version, revision } = await getVersion(db, account, 'purchase_order', reference, {
      asOf: as_of,
      missing: 'purchase_order_not_found',
    })
    if (revision === undefined) return versionOf(version, await shownNow(db, account, reference))
    return versionOf(version, (await ordersShownAt(db, account, [version], revision)).get(reference))
  },

  async assign({ tx, account }, { params: { reference, line, svc_shipment_id }, body }) {
    const order = JSON.parse(await getPurchaseOrderRecord(tx, account, reference)) as PurchaseOrderRecord
    const orderLine = order.product_lines.find((each) => each.reference === line)
    if (!orderLine) throw new Refusal('line_not_found')
    const shipment = await getShipmentRecord(tx, account, svc_shipment_id)
    if (shipment.status === 'cancelled') throw new Refusal('shipment_cancelled')
    const tooLong = namesFault({ reference, line, svc_shipment_id })
    if (tooLong) throw invalid([tooLong])
    const ofOrder = await findAssignmentsOfOrders(tx.sql, account, [reference])
    const others = ofOrder.filter((each) => each.line === line && each.svc_shipment_id !== svc_shipment_id)
    const stored = ofOrder.find((each) => each.line === line && each.svc_shipment_id === svc_shipment_id)
    const { assigned_quantity, shipped_order_lines = stored?.shipped_order_lines ?? [] } = body
    // What was packed before stands, as it came with an import: only what is sent is checked.
    refuseUnknownContainers(body.shipped_order_lines ?? [], shipment)
    const assigned = others.map((each) => each.assigned_quantity)
    const excess = assignedFault(orderLine.ordered_quantity, [...assigned, assigned_quantity])
    if (excess) throw new Refusal('quantity_exceeded', sentence(excess.detail))
    return save(tx, account, { reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines })
  },

  async pack({ tx, account }, { params: { reference, line, svc_shipment_id }, body: { shipped_order_lines } }) {
    const stored = await getAssignment(tx, account, { reference, line, svc_shipment_id })
    const shipment = await getShipmentRecord(tx, account, svc_shipment_id)
    if (shipment.status === 'cancelled') throw new Refusal('shipment_cancelled')
    refuseUnknownContainers(shipped_order_lines, shipment)
    return save(tx, account, { ...stored, shipped_order_lines })
  },

  async unassign({ tx, account }, { params: { reference, line, svc_shipment_id }, query: { reason } }) {
    const assignment = { reference, line, svc_shipment_id }
    if (!(await removeAssignment(tx, account, assignment, reason))) throw new Refusal('assignment_not_found')
    await refreshPurchaseOrders(tx, account, [reference])
    await refreshShipments(tx, account, [svc_shipment_id])
    return { removed: assignmentId(assignment) }
  },
}

async function getShipmentRecord({ sql }: Transaction, account: AccountId, id: string): Promise<ShipmentRecord> {
  const record = (await findRecords(sql, account, 'shipment', [id])).get(id)
  if (record === undefined) throw new Refusal('shipment_not_found')
  return JSON.parse(record) as ShipmentRecord
}

async function getAssignment(
  { sql }: Transaction,
  account: AccountId,
  wanted: { reference: string; line: string; svc_shipment_id: string },
): Promise<AssignmentRecord> {
  const id = assignmentId(wanted)
  const record = (await findRecords(sql, account, 'assignment', [id])).get(id)
  if (record === undefined) throw new Refusal('assignment_not_found')
  return JSON.parse(record) as AssignmentRecord
}

// What is packed goes into containers that the shipment has.
function refuseUnknownContainers(lines: ShippedLine[], shipment: ShipmentRecord): void {
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

async function save(tx: Transaction, account: AccountId, assignment: AssignmentRecord): Promise<AssignmentVersion> {
  const excess = shippedFault(assignment)
  if (excess) throw new Refusal('quantity_exceeded', sentence(excess.detail))
  const { reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines = [] } = assignment
  const kept = { reference, line, svc_shipment_id, assigned_quantity, shipped_order_lines }
  const id = assignmentId(kept)
  const before = (await findRecords(tx.sql, account, 'assignment', [id])).get(id)
  if (!isUnchanged(before, kept)) {
    const what = before === undefined ? 'created' : 'updated'
    await saveAssignments(tx, account, [{ ...kept, record: JSON.stringify(kept), what }])
    await refreshPurchaseOrders(tx, account, [reference])
    await refreshShipments(tx, account, [svc_shipment_id])
  }
  const { version } = await getVersion(tx.sql, account, 'assignment', id, {
    asOf: undefined,
    missing: 'assignment_not_found',
  })
  const { revision, recorded_at, recorded_by } = version
  return { id, revision, recorded_at, recorded_by, record: kept, order: await shownNow(tx.sql, account, reference) }
}

async function shownNow(db: Reader, account: AccountId, reference: string): Promise<PurchaseOrder> {
  const body = (await findPurchaseOrderBodies(db, account, [reference])).get(reference)
  if (body === undefined) throw new Refusal('purchase_order_not_found')
  return JSON.parse(body) as PurchaseOrder
}

function sentence(detail: string): string {
  return `This ${detail}.`
}

function versionOf(version: PresentVersion, shown: PurchaseOrder | undefined): PurchaseOrderVersion {
  const record = JSON.parse(version.record) as PurchaseOrderRecord
  return { ...envelopeOf(version), record, ...(shown && { shown }) }
}
