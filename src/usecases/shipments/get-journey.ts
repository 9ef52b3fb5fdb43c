import { businessTime } from '../../clock/clock.js'
import type { LocationRecord } from '../../contract/public/location.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { readSnapshot } from '../../database/snapshot.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findRecords } from '../../ledger/records.js'
import type { PortalHandler } from '../portal-context.js'
import { findWholeTracking } from '../tracking/tracking-record.js'
import { findArrivalHistory } from './arrival-history.js'
import { getShipmentRecord } from './shipment-record.js'

/** The places and the route of a shipment on a map, its position, and how its arrival date changed. */
export const getJourney: PortalHandler<'getJourney'> = async ({ db, account }, { params: { svc_shipment_id } }) => {
  const { arrival_history, ...source } = await readSnapshot(db, (sql) => readJourney(sql, account, svc_shipment_id))
  // Loaded on first use: the ports and sea lanes are large.
  const { journeyMap } = await import('./journey-map.js')
  const map = await finishInSlices(journeyMap({ ...source, now: businessTime() }))
  return { tracked: source.tracking !== undefined, ...map, arrival_history }
}

async function readJourney(sql: Reader, account: AccountId, id: string) {
  const shipment = await getShipmentRecord(sql, account, id)
  return {
    shipment,
    tracking: await findWholeTracking(sql, account, shipment),
    locations: await findRouteLocations(sql, account, shipment),
    arrival_history: await findArrivalHistory(sql, account, shipment),
  }
}

/** The saved locations of a route. */
export async function findRouteLocations(sql: Reader, account: AccountId, { route = {} }: ShipmentRecord) {
  const { pickup_location_id: pickup, delivery_location_id: delivery } = route
  const wanted = [pickup, delivery].filter((id) => id !== undefined)
  const records = wanted.length === 0 ? new Map<string, string>() : await findRecords(sql, account, 'location', wanted)
  const locationOf = (id: string | undefined) => {
    const record = id === undefined ? undefined : records.get(id)
    return record === undefined ? undefined : (JSON.parse(record) as LocationRecord)
  }
  return { pickup: locationOf(pickup), delivery: locationOf(delivery) }
}
