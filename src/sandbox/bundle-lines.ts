import type { ImportLine } from '../contract/import-line.js'
import type { Account } from './account.js'
import type { Paper } from './paperwork.js'
import type { Bundle } from './shipment.js'

/** The order in which an import can store them: what a line refers to comes before it. */

export function* accountLines({ slug, name, warehouses, suppliers }: Account): Generator<ImportLine> {
  yield { kind: 'account', account: slug, data: { name } }
  for (const { location } of [...warehouses, ...suppliers]) yield { kind: 'location', account: slug, data: location }
}

export function* bundleLines({ slug: account }: Account, bundle: Bundle): Generator<ImportLine> {
  yield { kind: 'shipment', account, data: bundle.shipment }
  if (bundle.tracking) yield { kind: 'tracking', account, data: bundle.tracking }
  for (const data of bundle.invoices) yield { kind: 'invoice', account, data }
  for (const data of bundle.orders) yield { kind: 'purchase_order', account, data }
  for (const data of bundle.assignments) yield { kind: 'assignment', account, data }
}

export function documentLine({ slug }: Account, paper: Paper, bytes: Buffer): ImportLine {
  const { id, name, type, svc_shipment_id, uploaded_at } = paper
  return {
    kind: 'document',
    account: slug,
    data: {
      id,
      name,
      type,
      uploaded_at,
      ...(svc_shipment_id && { svc_shipment_id }),
      size: bytes.length,
      content_base64: bytes.toString('base64'),
    },
  }
}
