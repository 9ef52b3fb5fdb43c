import { businessDate } from '../../clock/clock.js'
import type { Delay } from '../../contract/public/inbound.js'
import type { QueryOf } from '../../contract/public/operations.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type LineOnTheWay, simulateDelay } from '../../domain/inbound/delay.js'
import { sharesSailing } from '../../domain/inbound/same-sailing.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { findInboundOfVessel, findInboundOnTheWay, findLateOrders } from '../../store/inbound-on-the-way.js'
import { findShipmentBodies, findShipmentStatuses } from '../../store/shipments.js'
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
  const today = businessDate()
  const lines = await (vessel === undefined ? findInboundOnTheWay : findInboundOnSailing)(db, account, shipment)
  const references = [...new Set(lines.map(({ reference }) => reference))]
  return simulateDelay(lines, await findLateOrders(db, account, references, today), { days, today })
}

/** The lines on the vessel of a shipment, of the shipments that have the same voyage before them. */
async function findInboundOnSailing(db: Reader, account: AccountId, shipment: string): Promise<LineOnTheWay[]> {
  const lines = await findInboundOfVessel(db, account, shipment)
  const ids = new Set([shipment, ...lines.map(({ svc_shipment_id }) => svc_shipment_id)])
  const shipments = new Map(
    await mapInSlices(await findShipmentBodies(db, account, [...ids]), ([id, body]) => [
      id,
      JSON.parse(body) as Shipment,
    ]),
  )
  const own = shipments.get(shipment)
  return lines.filter(({ svc_shipment_id: id }) => {
    const other = shipments.get(id)
    return id === shipment || (own !== undefined && other !== undefined && sharesSailing(own, other))
  })
}
