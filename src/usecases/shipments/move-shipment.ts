import type { ShipmentStatus } from '../../contract/public/shipment.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { shipmentMoves } from '../../domain/shipments/shipment-status.js'
import type { Transaction } from '../../ledger/transaction.js'
import type { OperatorHandler } from '../operator-context.js'
import { refuseExcessOf } from '../purchase-orders/order-excess.js'
import { getShipmentRecord, saveShipment } from './shipment-record.js'

/** Moves a shipment to another status, or corrects its status. */
export const moveShipment: OperatorHandler<'moveShipment'> = async (
  { tx, account },
  { params: { svc_shipment_id }, body },
) => changeStatus(tx, account, svc_shipment_id, body)

type StatusChange = { status: ShipmentStatus; reason?: string | undefined; correction?: boolean | undefined }

export async function changeStatus(
  tx: Transaction,
  account: AccountId,
  svc_shipment_id: string,
  { status, reason, correction = false }: StatusChange,
) {
  const record = await getShipmentRecord(tx.sql, account, svc_shipment_id)
  if (reason === undefined && (correction || status === 'cancelled')) {
    const what = correction ? 'a correction' : 'a cancellation'
    throw invalid([{ pointer: '/reason', detail: `is required for ${what}` }])
  }
  refuseMove(record.status, status, correction)
  if (record.status === 'cancelled') await refuseExcessOf(tx, account, svc_shipment_id)
  return saveShipment(tx, account, { ...record, status }, record, {
    ...(correction && { what: 'corrected' }),
    reason,
  })
}

function refuseMove(from: ShipmentStatus | undefined, to: ShipmentStatus, isCorrection: boolean): void {
  if (from === to) throw new Refusal('transition_not_allowed', `The shipment is ${from} already${allowedAfter(from)}`)
  if (isCorrection || from === undefined || shipmentMoves(from).includes(to)) return
  throw new Refusal('transition_not_allowed', `A shipment cannot go from ${from} to ${to}${allowedAfter(from)}`)
}

function allowedAfter(status: ShipmentStatus): string {
  const allowed = shipmentMoves(status)
  return allowed.length > 0 ? `; allowed now: ${allowed.join(', ')}.` : '; this status is final.'
}
