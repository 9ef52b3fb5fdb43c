import type { PurchaseOrderVersion } from '../../contract/operator/shipments.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { findRevisionAt, findVersions, listVersionsAt, type PresentVersion } from '../../ledger/history.js'
import { listPurchaseOrderBodies } from '../../store/purchase-orders.js'
import { ordersShownAt } from '../history/as-of.js'
import { envelopeOf, getVersion } from '../history/versions.js'
import type { OperatorHandler } from '../operator-context.js'
import { getShownOrder } from './purchase-order-record.js'

export const listPurchaseOrderVersions: OperatorHandler<'listPurchaseOrders'> = async (
  { db, account },
  { query: { skip = 0, take = 20, as_of } },
) => {
  if (as_of !== undefined) {
    const revision = await findRevisionAt(db, account, as_of)
    const versions = await listVersionsAt(db, account, 'purchase_order', revision, { skip, take })
    const shown = await ordersShownAt(db, account, versions, revision)
    return versions.map((version) => purchaseOrderVersion(version, shown.get(version.id)))
  }
  const page = await listPurchaseOrderBodies(db, account, { skip, take })
  const ids = page.map(({ id }) => id)
  const versions = await findVersions(db, account, 'purchase_order', ids)
  return page.flatMap(({ id, body }) => {
    const version = versions.get(id)
    return version ? [purchaseOrderVersion(version, JSON.parse(body) as PurchaseOrder)] : []
  })
}

export const getPurchaseOrderVersion: OperatorHandler<'getPurchaseOrder'> = async (
  { db, account },
  { params: { reference }, query: { as_of } },
) => {
  const { version, revision } = await getVersion(db, account, 'purchase_order', reference, {
    asOf: as_of,
    missing: 'purchase_order_not_found',
  })
  if (revision === undefined) return purchaseOrderVersion(version, await getShownOrder(db, account, reference))
  return purchaseOrderVersion(version, (await ordersShownAt(db, account, [version], revision)).get(reference))
}

function purchaseOrderVersion(version: PresentVersion, shown: PurchaseOrder | undefined): PurchaseOrderVersion {
  const record = JSON.parse(version.record) as PurchaseOrderRecord
  return { ...envelopeOf(version), record, ...(shown && { shown }) }
}
