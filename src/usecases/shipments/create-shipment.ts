import { randomInt } from 'node:crypto'
import { businessTime } from '../../clock/clock.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { withComputedTotals } from '../../domain/shipments/shipment-cargo.js'
import { formatShipmentId, idAlphabet, idLength } from '../../domain/shipments/shipment-id.js'
import { Transaction } from '../../ledger/transaction.js'
import { findShipmentStatuses } from '../../store/shipments.js'
import type { OperatorHandler } from '../operator-context.js'
import { assignOrderLines } from '../purchase-orders/assign-order-lines.js'
import { saveShipment } from './shipment-record.js'
import { refuseShipmentFaults } from './shipment-revision.js'

export const createShipment: OperatorHandler<'createShipment'> = async ({ tx, account }, { body, normalized }) => {
  const {
    svc_shipment_id = await newShipmentId(tx, account),
    status = 'booking_request',
    order_lines = [],
    ...input
  } = body
  const stored = await findShipmentStatuses(tx.sql, account, [svc_shipment_id])
  if (stored.has(svc_shipment_id)) throw new Refusal('shipment_exists')
  await refuseShipmentFaults(tx.sql, account, input, {})
  const created_at = new Date(businessTime()).toISOString()
  const record = withComputedTotals({ svc_shipment_id, status, created_at, ...input })
  await assignOrderLines(tx, account, record, order_lines)
  return saveShipment(tx, account, record, undefined, { normalized })
}

async function newShipmentId(tx: Transaction, account: AccountId): Promise<string> {
  const id = formatShipmentId(randomInt(idAlphabet.length ** idLength))
  const taken = await findShipmentStatuses(tx.sql, account, [id])
  return taken.has(id) ? newShipmentId(tx, account) : id
}
