import type { LocationRecord } from '../contract/location.js'
import { Refusal } from '../contract/refusals.js'
import type { ShipmentRecord } from '../contract/shipment.js'
import type { TrackingRecord } from '../contract/tracking.js'
import { numbersOf } from '../domain/shipment-cargo.js'
import { withEntries } from '../domain/tracking.js'
import { noEntries } from '../operator/tracking-record.js'
import type { Reader } from '../storage/database.js'
import { findRecords } from '../storage/records.js'
import { readSnapshot } from '../storage/snapshot.js'
import { findTrackingEntries } from '../storage/tracking-entries.js'
import type { AccountId } from '../storage/transaction.js'
import { findArrivalHistory } from './arrival-history.js'
import type { PortalHandlers } from './handlers.js'

export const journeyHandlers: PortalHandlers<'getJourney'> = {
  async getJourney({ db, account }, { params: { svc_shipment_id } }) {
    const { arrival_history, ...known } = await readSnapshot(db, (sql) => readJourney(sql, account, svc_shipment_id))
    // The ports and lanes of the world are loaded when somebody wants to see them.
    const { wayOf } = await import('./journey-way.js')
    return { tracked: known.tracking !== undefined, ...wayOf({ ...known, now: Date.now() }), arrival_history }
  },
}

async function readJourney(sql: Reader, account: AccountId, id: string) {
  const record = (await findRecords(sql, account, 'shipment', [id])).get(id)
  if (record === undefined) throw new Refusal('shipment_not_found')
  const shipment = JSON.parse(record) as ShipmentRecord
  return {
    shipment,
    tracking: await findTracking(sql, account, id),
    locations: await findLocations(sql, account, shipment),
    arrival_history: await findArrivalHistory(sql, account, id, numbersOf(shipment)),
  }
}

async function findTracking(sql: Reader, account: AccountId, id: string): Promise<TrackingRecord | undefined> {
  const record = (await findRecords(sql, account, 'tracking', [id])).get(id)
  if (record === undefined) return undefined
  const entries = await findTrackingEntries(sql, account, [id])
  return withEntries(JSON.parse(record) as TrackingRecord, entries.get(id) ?? noEntries)
}

async function findLocations(sql: Reader, account: AccountId, { route = {} }: ShipmentRecord) {
  const { pickup_location_id: pickup, delivery_location_id: delivery } = route
  const wanted = [pickup, delivery].filter((id) => id !== undefined)
  const records = wanted.length === 0 ? new Map<string, string>() : await findRecords(sql, account, 'location', wanted)
  const locationOf = (id: string | undefined) => {
    const record = id === undefined ? undefined : records.get(id)
    return record === undefined ? undefined : (JSON.parse(record) as LocationRecord)
  }
  return { pickup: locationOf(pickup), delivery: locationOf(delivery) }
}
