import type { InvoiceRecord } from '../../contract/public/invoice.js'
import type { Shipment } from '../../contract/public/shipment.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { InvoiceFacts } from '../../domain/exceptions/invoice-rules.js'
import type { OrderFacts } from '../../domain/exceptions/order-rules.js'
import type { Thresholds } from '../../domain/exceptions/thresholds.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { findFirstTimes } from '../../ledger/history.js'
import { readRecords } from '../../ledger/records.js'
import { findAssignmentsOfOrders } from '../../store/assignments.js'
import { findShipmentBodies } from '../../store/shipments.js'
import { findInvoiceBalances } from '../invoices/invoice-balance.js'

type Given = { watchedSince: number; thresholds: Thresholds; now: number }

export async function readOrderFacts(
  db: Reader,
  account: AccountId,
  references: string[],
  { watchedSince, thresholds, now }: Given,
): Promise<Map<string, OrderFacts>> {
  const [orders, assignments, firstTimes] = await Promise.all([
    readRecords(db, account, 'purchase_order', references),
    findAssignmentsOfOrders(db, account, references),
    findFirstTimes(db, account, 'purchase_order', references),
  ])
  const bodies = await findShipmentBodies(db, account, [...new Set(assignments.map((each) => each.svc_shipment_id))])
  const shipments = new Map([...bodies].map(([id, body]) => [id, JSON.parse(body) as Shipment]))
  const assignmentsOf = groupedBy(assignments, ({ reference, line }) => JSON.stringify([reference, line]))
  return new Map(
    [...orders].map(([po_number, { desired_delivery_date, desired_ex_factory_date, product_lines }]) => [
      po_number,
      {
        po_number,
        desired_delivery_date,
        desired_ex_factory_date,
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
        knownSince: Math.max(firstTimes.get(po_number) ?? 0, watchedSince),
        thresholds,
        now,
      },
    ]),
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
