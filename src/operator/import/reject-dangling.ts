import {
  removeWithoutInvoice,
  removeWithoutOrder,
  removeWithoutShipment,
  removeWithoutTracking,
} from '../../storage/staged-references.js'
import type { AccountImport } from './account-import.js'

/** Rejects what belongs to nothing. Every line is judged, also where another one for the same thing follows. */
export async function rejectDangling(work: AccountImport): Promise<void> {
  const { tx, account, slug, report } = work
  for (const line of await removeWithoutOrder(tx.sql, slug, account)) {
    report.reject(line, [{ pointer: '/data/reference', detail: 'the account has no such purchase order' }])
  }
  for (const line of await removeWithoutShipment(tx.sql, slug, account)) {
    report.reject(line, [{ pointer: '/data/svc_shipment_id', detail: 'the account has no such shipment' }])
  }
  for (const line of await removeWithoutTracking(tx.sql, slug, account)) {
    report.reject(line, [{ pointer: '/data/svc_shipment_id', detail: 'the shipment has no tracking' }])
  }
  await rejectWithoutInvoice(work)
}

export async function rejectWithoutInvoice({ tx, account, slug, report }: AccountImport): Promise<void> {
  // An invoice that goes may be the one that another is against.
  for (let found = true; found; ) {
    const removed = await removeWithoutInvoice(tx.sql, slug, account)
    for (const { line, kind } of removed) {
      const field = kind === 'payment' ? 'reference' : 'credited_invoice'
      report.reject(line, [{ pointer: `/data/${field}`, detail: 'the account has no such invoice' }])
    }
    found = removed.length > 0
  }
}
