import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { findAssignmentsOfShipments } from '../../store/assignments.js'
import { readReinstated } from '../../store/staging/staged-records.js'
import { type AccountImport, removeRejected } from './account-import.js'
import { MergedRecord } from './merged-record.js'
import { findExcess, type Limits } from './order-conflicts.js'
import { mergeOrders } from './validate-orders.js'

type Shipment = Pick<ShipmentRecord, 'status'>
type Reinstated = Map<string, MergedRecord<Shipment>>

const shipments = { kind: 'shipment' as const, read: (record: string) => JSON.parse(record) as Shipment }
const cancelled: Shipment = { status: 'cancelled' }

/**
 * A cancelled shipment gives its quantities back, and others may have been assigned in their place: a line by which it is no longer
 * cancelled is rejected then.
 */
export async function rejectReinstated(work: AccountImport): Promise<void> {
  const { tx, account, slug } = work
  for await (const rows of readReinstated(tx.sql, slug, account)) {
    const reinstated = new Map(rows.map((row) => [row.id, new MergedRecord(shipments, cancelled, row)]))
    const own = await findAssignmentsOfShipments(tx.sql, account, [...reinstated.keys()])
    const references = [...new Set(own.map(({ reference }) => reference))]
    if (references.length === 0) continue
    const { orders, limits } = await mergeOrders(work, references)
    for (const { order, assignments } of orders) {
      while (order.data) {
        const [found] = findExcess(order.data, assignments, limits).flatMap((excess) => {
          const last = lastOf(reinstated, excess.shipments)
          return last ? { ...excess, last } : []
        })
        if (!found) break
        const detail = `counts again what was assigned to others since: line ${found.line} of ${order.data.reference} ${found.detail}`
        await rejectLine(work, found.last, detail, limits)
      }
    }
    await removeRejected(work)
  }
}

/** The shipment of the last line of the file, of those that are no longer cancelled. */
function lastOf(reinstated: Reinstated, among: Set<string>): MergedRecord<Shipment> | undefined {
  return [...among]
    .flatMap((id) => reinstated.get(id) ?? [])
    .filter(({ staged }) => staged !== undefined)
    .reduce<MergedRecord<Shipment> | undefined>(
      (last, each) => ((last?.staged?.line ?? 0) > (each.staged?.line ?? 0) ? last : each),
      undefined,
    )
}

async function rejectLine(
  work: AccountImport,
  shipment: MergedRecord<Shipment>,
  detail: string,
  limits: Limits,
): Promise<void> {
  const id = shipment.staged?.id as string
  await shipment.reject(work, { pointer: '/data/status', detail })
  if (shipment.data?.status === 'cancelled') limits.cancelled.add(id)
}
