import type { ImportLine } from '../contract/import-line.js'
import type { SandboxAccount } from './account.js'
import type { Bundle } from './shipment.js'
import type { SampleDocument } from './shipment-documents.js'

/** Import lines; a line comes after those that it refers to. */

export function* accountLines({ slug, name, warehouses, suppliers }: SandboxAccount): Generator<ImportLine> {
  yield { kind: 'account', account: slug, data: { name } }
  for (const { location } of [...warehouses, ...suppliers]) yield { kind: 'location', account: slug, data: location }
}

export function* bundleLines({ slug: account }: SandboxAccount, bundle: Bundle): Generator<ImportLine> {
  yield { kind: 'shipment', account, data: bundle.shipment }
  if (bundle.tracking) yield { kind: 'tracking', account, data: bundle.tracking }
  for (const data of bundle.invoices) yield { kind: 'invoice', account, data }
  for (const data of bundle.payments) yield { kind: 'payment', account, data }
  // Lists show the newest first: an order has no date of its own, and all of one import would be as old as each other.
  const placed = bundle.shipment.created_at
  for (const data of bundle.orders)
    yield { kind: 'purchase_order', account, data, ...(placed !== undefined && { stored_at: placed }) }
  for (const data of bundle.assignments) yield { kind: 'assignment', account, data }
}

export function documentLine({ slug }: SandboxAccount, document: SampleDocument, bytes: Buffer): ImportLine {
  const { id, name, type, svc_shipment_id, uploaded_at } = document
  return {
    kind: 'document',
    account: slug,
    data: {
      id,
      name,
      type,
      uploaded_at,
      svc_shipment_id,
      size: bytes.length,
      content_base64: bytes.toString('base64'),
    },
  }
}
