import { invalid, Refusal } from '../contract/refusals.js'
import {
  type PurchaseOrderRecord,
  purchaseOrderFaults,
  recordPurchaseOrder,
  renderPurchaseOrder,
  revisePurchaseOrder,
} from '../domain/purchase-order.js'
import { isPurchaseOrderAssigned } from '../storage/assignments.js'
import { changePurchaseOrderAtOnce } from '../storage/prompt-changes.js'
import { createPurchaseOrderAtOnce } from '../storage/prompt-creations.js'
import {
  createPurchaseOrder,
  findPurchaseOrder,
  getPurchaseOrderRecord,
  listPurchaseOrders,
  savePurchaseOrders,
} from '../storage/purchase-orders.js'
import { bodiesOf, type Handlers, type PromptHandlers } from './handlers.js'

export const purchaseOrderHandlers: Handlers<
  'createPurchaseOrder' | 'updatePurchaseOrder' | 'listPurchaseOrders' | 'getPurchaseOrder'
> = {
  async createPurchaseOrder({ tx, account }, { body }) {
    refuseFaults(body)
    const created = await createPurchaseOrder(tx, account, orderRowOf(recordPurchaseOrder(body)))
    if (!created) throw new Refusal('purchase_order_exists')
    return { reference: body.reference }
  },

  async updatePurchaseOrder({ tx, account }, { body }) {
    refuseFaults(body)
    const [stored, isAssigned] = await Promise.all([
      getPurchaseOrderRecord(tx, account, body.reference),
      isPurchaseOrderAssigned(tx, account, body.reference),
    ])
    if (isAssigned) throw new Refusal('purchase_order_assigned')
    const revised = orderRowOf(revisePurchaseOrder(JSON.parse(stored) as PurchaseOrderRecord, body))
    if (revised.record !== stored) await savePurchaseOrders(tx, account, [{ ...revised, what: 'updated' }])
    return { reference: body.reference }
  },

  async listPurchaseOrders({ ask, account }, { query }) {
    return bodiesOf(listPurchaseOrders(ask, account, { skip: query.skip ?? 0, take: query.take }))
  },

  async getPurchaseOrder({ ask, account }, { params }) {
    const order = await ask((db) => findPurchaseOrder(db, account, params.reference))
    if (!order) throw new Refusal('purchase_order_not_found')
    return order
  },
}

/** The same, for who is in a hurry: a new order needs to know nothing but that its reference is free. */
export const promptPurchaseOrderHandlers: PromptHandlers<'createPurchaseOrder' | 'updatePurchaseOrder'> = {
  async createPurchaseOrder({ db, caller }, { body }) {
    refuseFaults(body)
    const { reference } = body
    const revision = await createPurchaseOrderAtOnce(
      db,
      caller.account_id,
      caller,
      orderRowOf(recordPurchaseOrder(body)),
    )
    return revision === undefined ? undefined : { answer: { reference }, revision }
  },

  async updatePurchaseOrder({ db, caller }, { body }) {
    refuseFaults(body)
    const { reference } = body
    const revision = await changePurchaseOrderAtOnce(db, caller.account_id, caller, reference, (stored) => {
      if (stored.isAssigned) throw new Refusal('purchase_order_assigned')
      return orderRowOf(revisePurchaseOrder(JSON.parse(stored.record) as PurchaseOrderRecord, body))
    })
    return revision === undefined ? undefined : { answer: { reference }, revision }
  },
}

function refuseFaults(order: Parameters<typeof purchaseOrderFaults>[0]): void {
  const faults = purchaseOrderFaults(order)
  if (faults.length > 0) throw invalid(faults)
}

// An order that a customer may create or change is assigned to no shipment.
export function orderRowOf(order: PurchaseOrderRecord) {
  return {
    reference: order.reference,
    record: JSON.stringify(order),
    body: JSON.stringify(renderPurchaseOrder(order, [])),
  }
}
