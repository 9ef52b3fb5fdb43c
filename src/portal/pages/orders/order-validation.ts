import { PurchaseOrderCreate, PurchaseOrderUpdate } from '../../../contract/purchase-order.js'
import type { Fault } from '../../../contract/refusals.js'
import { interpreterOf, type Validator } from '../../../contract/validation.js'
import { purchaseOrderFaults } from '../../../domain/purchase-order.js'
import type { SentOrder } from './order-draft.js'

/** The rules of the server, by the server's code. A chunk of its own: only who types an order needs it. */

const creation = interpreterOf(PurchaseOrderCreate)
const update = interpreterOf(PurchaseOrderUpdate)

export function faultsToCreate(order: SentOrder): Fault[] {
  return faultsBy(creation, order)
}

export function faultsToUpdate(order: SentOrder): Fault[] {
  return faultsBy(update, order)
}

function faultsBy(validator: Validator<typeof PurchaseOrderCreate | typeof PurchaseOrderUpdate>, order: SentOrder) {
  return [...validator.faultsIn(order), ...purchaseOrderFaults(order as Partial<PurchaseOrderCreate>)]
}
