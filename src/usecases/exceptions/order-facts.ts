import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Shipment } from '../../contract/public/shipment.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { decidingEvidence } from '../../domain/exceptions/date-rules.js'
import type { InvoiceFacts } from '../../domain/exceptions/invoice-rules.js'
import { type OrderEvidence, type OrderFacts, shipmentsAtFault } from '../../domain/exceptions/order-rules.js'
import type { Thresholds } from '../../domain/exceptions/thresholds.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { noEntries } from '../../domain/tracking/tracking.js'
import { decideDatesInParts } from '../../domain/tracking/tracking-dates.js'
import { mapInParts } from '../../jobs/in-slices.js'
import { findFirstTimes } from '../../ledger/history.js'
import { readRecords } from '../../ledger/records.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { findAssignmentsOfOrders } from '../../store/assignments.js'
import { findShipmentBodies } from '../../store/shipments.js'
import { findTrackingEntries } from '../../store/tracking-entries.js'
import { findInvoiceBalances } from '../invoices/invoice-balance.js'

type Given = {
  raisedOf(order: string): OrderFacts['raised']
  /** The evidence that is known of its shipments, if none of their records has changed since. */
  knownEvidence(order: string): OrderEvidence
  watchedSince: number
  thresholds: Thresholds
  now: number
}

export async function readOrderFacts(
  db: Reader,
  account: AccountId,
  references: string[],
  { raisedOf, knownEvidence, watchedSince, thresholds, now }: Given,
): Promise<Map<string, OrderFacts>> {
  const [orders, assignments, firstTimes] = await Promise.all([
    readRecords(db, account, 'purchase_order', references),
    findAssignmentsOfOrders(db, account, references),
    findFirstTimes(db, account, 'purchase_order', references),
  ])
  const bodies = await findShipmentBodies(db, account, [...new Set(assignments.map((each) => each.svc_shipment_id))])
  const shipments = new Map([...bodies].map(([id, body]) => [id, JSON.parse(body) as Shipment]))
  const assignmentsOf = groupedBy(assignments, ({ reference, line }) => JSON.stringify([reference, line]))
  const facts = Array.from(
    orders,
    ([po_number, { desired_delivery_date, desired_ex_factory_date, product_lines, cancellation }]) => ({
      po_number,
      desired_delivery_date,
      desired_ex_factory_date,
      isCancelled: cancellation !== undefined,
      lines: product_lines.map(({ reference: line, product, ordered_quantity }) => ({
        po_number,
        line,
        sku: product.sku,
        ordered: ordered_quantity,
        desired_date: desired_delivery_date,
        assignments: (assignmentsOf.get(JSON.stringify([po_number, line])) ?? []).map((each) => ({
          svc_shipment_id: each.svc_shipment_id,
          assigned: each.assigned_quantity,
          packed: each.shipped_order_lines,
        })),
      })),
      shipments,
      raised: raisedOf(po_number),
      knownSince: Math.max(firstTimes.get(po_number) ?? 0, watchedSince),
      thresholds,
      now,
    }),
  )
  // Most are late as before: their shipments are not derived again.
  const atFault = facts.map((each) => ({ each, ids: shipmentsAtFault(each), known: knownEvidence(each.po_number) }))
  const missing = atFault.flatMap(({ ids, known }) => ids.filter((id) => !known.has(id)))
  const read = await readEvidence(db, account, [...new Set(missing)])
  return new Map(
    atFault.map(({ each, ids, known }) => {
      const events: OrderEvidence = new Map(ids.map((id) => [id, known.get(id) ?? read.get(id) ?? {}]))
      return [each.po_number, { ...each, events }]
    }),
  )
}

/** The events that decide the departure and the arrival of some shipments. */
async function readEvidence(db: Reader, account: AccountId, ids: string[]): Promise<OrderEvidence> {
  if (ids.length === 0) return new Map()
  const [shipments, trackings, entries] = await Promise.all([
    readRecords(db, account, 'shipment', ids),
    readRecords(db, account, 'tracking', ids),
    findTrackingEntries(db, account, ids),
  ])
  return new Map(
    await mapInParts(shipments, function* ([id, shipment]) {
      const tracking = yield* wholeTrackingInParts(
        trackings.get(id) ?? { svc_shipment_id: id },
        entries.get(id) ?? noEntries,
        shipment,
      )
      const decided = yield* decideDatesInParts(tracking, numbersOf(shipment))
      const [arrival] = decidingEvidence({ tracking, decided }, 'delivery_date', 'arrival_date')
      const [departure] = decidingEvidence({ tracking, decided }, 'departure_date')
      return [id, { ...(arrival && { arrival }), ...(departure && { departure }) }] as const
    }),
  )
}

export async function readInvoiceFacts(
  db: Reader,
  account: AccountId,
  references: string[],
  now: number,
): Promise<Map<string, InvoiceFacts>> {
  const records = await readRecords(db, account, 'invoice', references)
  const invoices: InvoiceRecord[] = [...records.values()]
  const balances = await findInvoiceBalances(db, account, invoices)
  return new Map(
    invoices.map((invoice) => [
      invoice.reference,
      { invoice, outstanding: balances.get(invoice.reference)?.outstanding ?? [], now },
    ]),
  )
}
