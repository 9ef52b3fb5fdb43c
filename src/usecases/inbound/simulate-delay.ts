import { businessDate } from '../../clock/clock.js'
import type { Delay } from '../../contract/public/inbound.js'
import type { QueryOf } from '../../contract/public/operations.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { simulateDelay } from '../../domain/inbound/delay.js'
import { findInboundOfVessel, findInboundOnTheWay } from '../../store/inbound-on-the-way.js'
import { findShipmentStatuses } from '../../store/shipments.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'

/** What a delay of a shipment, or of its vessel, would make late. Nothing is stored. */
export const simulateDelayOfOwn: CustomerHandler<'simulateDelay'> = async ({ ask, account }, { params, query }) => {
  const delay = await ask((db) => findDelay(db, account, params.svc_shipment_id, query))
  return { body: JSON.stringify(delay), revision: 0, id: params.svc_shipment_id }
}

/** The same for operators. */
export const simulateDelayOf: OperatorHandler<'simulateDelay'> = async ({ db, account }, { params, query }) =>
  findDelay(db, account, params.svc_shipment_id, query)

async function findDelay(
  db: Reader,
  account: AccountId,
  shipment: string,
  { days = 5, vessel }: QueryOf<'simulateDelay'>,
): Promise<Delay> {
  if (!(await findShipmentStatuses(db, account, [shipment])).has(shipment)) throw new Refusal('shipment_not_found')
  const find = vessel === undefined ? findInboundOnTheWay : findInboundOfVessel
  return simulateDelay(await find(db, account, shipment), days, businessDate())
}
