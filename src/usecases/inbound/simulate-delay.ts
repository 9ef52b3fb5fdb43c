import { businessDate } from '../../clock/clock.js'
import type { Delay } from '../../contract/public/inbound.js'
import type { QueryOf } from '../../contract/public/operations.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type LineOnTheWay, simulateDelay } from '../../domain/inbound/delay.js'
import { sailingOf, sharesSailing } from '../../domain/inbound/same-sailing.js'
import type { Sailing } from '../../domain/tracking/sailing.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import { findInboundOfVessel, findInboundOnTheWay, findLateOrders } from '../../store/inbound-on-the-way.js'
import { findShipmentBodies, findShipmentStatuses } from '../../store/shipments.js'
import { findTrackedDates } from '../../store/tracking.js'
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
  const own = (await findSailings(db, account, [shipment])).get(shipment)
  const hasArrived = own?.shipment.main_tracking_dates?.arrival_date?.status === 'actual'
  const sailing = hasArrived ? undefined : own?.sailing
  const lines = await (vessel !== undefined && sailing
    ? findInboundOnSailing(db, account, shipment, sailing)
    : findInboundOnTheWay(db, account, shipment))
  const references = [...new Set(lines.map(({ reference }) => reference))]
  const delay = simulateDelay(lines, await findLateOrders(db, account, references, today), { days, today })
  return { ...delay, ...(sailing && { vessel: sailing.vessel }) }
}

/** The lines on a vessel, of the shipments that have the same voyage before them. */
async function findInboundOnSailing(
  db: Reader,
  account: AccountId,
  shipment: string,
  sailing: Sailing,
): Promise<LineOnTheWay[]> {
  const lines = await findInboundOfVessel(db, account, sailing.vessel)
  const ids = new Set(lines.map(({ svc_shipment_id }) => svc_shipment_id))
  const others = await findSailings(db, account, [...ids])
  return lines.filter(({ svc_shipment_id: id }) => {
    const other = others.get(id)
    return id === shipment || (other && sharesSailing(sailing, other.sailing, other.shipment))
  })
}

type Sailed = { shipment: Shipment; sailing: Sailing | undefined }

async function findSailings(db: Reader, account: AccountId, shipments: string[]): Promise<Map<string, Sailed>> {
  const [bodies, tracked] = await Promise.all([
    findShipmentBodies(db, account, shipments),
    findTrackedDates(db, account, shipments),
  ])
  return new Map(
    await mapInSlices(bodies, ([id, body]): [string, Sailed] => {
      const shipment = JSON.parse(body) as Shipment
      return [id, { shipment, sailing: sailingOf(shipment, tracked.get(id)?.sailing) }]
    }),
  )
}
