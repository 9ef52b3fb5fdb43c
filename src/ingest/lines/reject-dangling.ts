import type { Fault } from '../../contract/refusals.js'
import {
  removeWithoutInvoice,
  removeWithoutOrder,
  removeWithoutShipment,
  removeWithoutTracking,
} from '../../store/staging/staged-references.js'
import { type AccountImport, hasLinesOf } from './account-import.js'

/** Rejects lines that refer to a record that is neither stored nor in the file; every line, also those replaced later. */
export async function rejectDangling(work: AccountImport): Promise<void> {
  if (hasLinesOf(work, 'assignment')) {
    const lines = await removeWithoutOrder(work.tx.sql, work.slug, work.account)
    rejectAll(work, lines, { pointer: '/data/reference', detail: 'the account has no such purchase order' })
  }
  if (hasLinesOf(work, 'assignment', 'tracking', 'tracking_event', 'tracking_position', 'invoice', 'document')) {
    const lines = await removeWithoutShipment(work.tx.sql, work.slug, work.account)
    rejectAll(work, lines, { pointer: '/data/svc_shipment_id', detail: 'the account has no such shipment' })
  }
  if (hasLinesOf(work, 'tracking_event', 'tracking_position')) {
    const lines = await removeWithoutTracking(work.tx.sql, work.slug, work.account)
    rejectAll(work, lines, { pointer: '/data/svc_shipment_id', detail: 'the shipment has no tracking' })
  }
  if (hasLinesOf(work, 'invoice', 'payment')) await rejectWithoutInvoice(work)
}

function rejectAll({ report }: AccountImport, lines: number[], fault: Fault): void {
  for (const line of lines) report.reject(line, [fault])
}

export async function rejectWithoutInvoice({ tx, account, slug, report }: AccountImport): Promise<void> {
  // Removing an invoice may leave a credit note without its invoice.
  for (let found = true; found; ) {
    const removed = await removeWithoutInvoice(tx.sql, slug, account)
    for (const { line, kind } of removed) {
      const field = kind === 'payment' ? 'reference' : 'credited_invoice'
      report.reject(line, [{ pointer: `/data/${field}`, detail: 'the account has no such invoice' }])
    }
    found = removed.length > 0
  }
}
