import type { PurchaseOrderVersion } from '../../contract/operator/shipments.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { PurchaseOrderRecord } from '../../domain/purchase-orders/purchase-order.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { findRevisionAt, listIdsAt, listVersionsOf, type PresentVersion } from '../../ledger/history.js'
import { findPurchaseOrderBodies, listPurchaseOrderReferences } from '../../store/purchase-orders.js'
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
    const ids = await listIdsAt(db, account, 'purchase_order', revision, { skip, take })
    const versions = await listVersionsOf(db, account, 'purchase_order', ids, revision)
    const shown = await ordersShownAt(db, account, versions, revision)
    return mapInSlices(versions, (version) => purchaseOrderVersion(version, shown.get(version.id)))
  }
  const references = await listPurchaseOrderReferences(db, account, { skip, take })
  const versions = await listVersionsOf(db, account, 'purchase_order', references)
  const bodies = await findPurchaseOrderBodies(
    db,
    account,
    versions.map(({ id }) => id),
  )
  const shown = new Map(await mapInSlices(bodies, ([id, body]) => [id, JSON.parse(body) as PurchaseOrder] as const))
  return mapInSlices(versions, (version) => purchaseOrderVersion(version, shown.get(version.id)))
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

/** The present version. */
export async function readPurchaseOrderVersion(
  db: Reader,
  account: AccountId,
  reference: string,
): Promise<PurchaseOrderVersion> {
  const { version } = await getVersion(db, account, 'purchase_order', reference, {
    asOf: undefined,
    missing: 'purchase_order_not_found',
  })
  return purchaseOrderVersion(version, await getShownOrder(db, account, reference))
}

function purchaseOrderVersion(version: PresentVersion, shown: PurchaseOrder | undefined): PurchaseOrderVersion {
  const record = JSON.parse(version.record) as PurchaseOrderRecord
  return { ...envelopeOf(version), record, ...(shown && { shown }) }
}
