import { invalid, Refusal } from '../contract/refusals.js'
import {
  type PurchaseOrderRecord,
  purchaseOrderFaults,
  recordPurchaseOrder,
  renderPurchaseOrder,
  revisePurchaseOrder,
} from '../domain/purchase-order.js'
import { isPurchaseOrderAssigned } from '../storage/assignments.js'
import {
  createPurchaseOrder,
  findPurchaseOrder,
  getPurchaseOrderRecord,
  listPurchaseOrders,
  savePurchaseOrders,
} from '../storage/purchase-orders.js'
import { bodiesOf, type Handlers } from './handlers.js'

export const purchaseOrderHandlers: Handlers<
  'createPurchaseOrder' | 'updatePurchaseOrder' | 'listPurchaseOrders' | 'getPurchaseOrder'
> = {
  async createPurchaseOrder({ tx, account }, { body }) {
    refuseFaults(body)
    const created = await createPurchaseOrder(tx, account, rowOf(recordPurchaseOrder(body)))
    if (!created) throw new Refusal('purchase_order_exists')
    return { reference: body.reference }
  },

  async updatePurchaseOrder({ tx, account }, { body }) {
    refuseFaults(body)
    const stored = await getPurchaseOrderRecord(tx, account, body.reference)
    if (await isPurchaseOrderAssigned(tx, account, body.reference)) throw new Refusal('purchase_order_assigned')
    const revised = rowOf(revisePurchaseOrder(JSON.parse(stored) as PurchaseOrderRecord, body))
    if (revised.record !== stored) await savePurchaseOrders(tx, account, [{ ...revised, what: 'updated' }])
    return { reference: body.reference }
  },

  async listPurchaseOrders({ db, account }, { query }) {
    return bodiesOf(listPurchaseOrders(db, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getPurchaseOrder({ db, account }, { params }) {
    const order = await findPurchaseOrder(db, account, params.reference)
    if (!order) throw new Refusal('purchase_order_not_found')
    return order
  },
}

function refuseFaults(order: Parameters<typeof purchaseOrderFaults>[0]): void {
  const faults = purchaseOrderFaults(order)
  if (faults.length > 0) throw invalid(faults)
}

// An order that a customer may create or change is assigned to no shipment.
function rowOf(order: PurchaseOrderRecord) {
  return {
    reference: order.reference,
    record: JSON.stringify(order),
    body: JSON.stringify(renderPurchaseOrder(order, [])),
  }
}
