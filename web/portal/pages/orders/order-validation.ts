import { PurchaseOrderCreate, PurchaseOrderUpdate } from '../../../../src/contract/public/purchase-order.js'
import type { Fault } from '../../../../src/contract/refusals.js'
import { interpreterOf, type Validator } from '../../../../src/contract/validation.js'
import { purchaseOrderFaults } from '../../../../src/domain/purchase-orders/purchase-order.js'
import type { SentOrder } from './order-draft.js'

/** The server's validation, from the same code. A separate chunk, loaded by the form only. */

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
