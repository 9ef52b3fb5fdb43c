import { ShipmentInput, type ShipmentVersion } from '../../contract/operator/shipments.js'
import type { Warning } from '../../contract/operator/version.js'
import type { Route, ShipmentRecord } from '../../contract/public/shipment.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { cargoFaults, numbersOf, withComputedTotals } from '../../domain/shipments/shipment-cargo.js'
import { namedContainers } from '../../domain/tracking/tracking-containers.js'
import { findVersions } from '../../ledger/history.js'
import { Transaction } from '../../ledger/transaction.js'
import { findAssignmentsOfShipments } from '../../store/assignments.js'
import { findLocationStates, isLocationId } from '../../store/locations.js'
import { findWholeTracking } from '../tracking/tracking-record.js'
import { saveShipment } from './shipment-record.js'

const inputFields = new Set(Object.keys(ShipmentInput.properties))

/** Splits a record into the fields that operators can set and all others. */
export function splitShipment(record: ShipmentRecord): { input: ShipmentInput; rest: ShipmentRecord } {
  const entries = Object.entries(record)
  return {
    input: Object.fromEntries(entries.filter(([name]) => inputFields.has(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !inputFields.has(name))) as ShipmentRecord,
  }
}

/** Refuses a change that is based on another revision. The lock of the account keeps others from changing it meanwhile. */
export async function refuseOtherShipmentRevision(
  db: Reader,
  account: AccountId,
  id: string,
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined) return
  const current = (await findVersions(db, account, 'shipment', [id])).get(id)?.revision
  if (current !== undefined && current !== expected) {
    throw new Refusal('shipment_changed', `Its revision is ${current}.`)
  }
}

/** Validates and stores a changed record. */
export async function reviseShipment(
  tx: Transaction,
  account: AccountId,
  before: ShipmentRecord,
  revised: ShipmentRecord,
  normalized?: Warning[],
): Promise<ShipmentVersion> {
  await refuseRevision(tx.sql, account, before, revised)
  return saveShipment(tx, account, withComputedTotals(revised), before, { normalized })
}

/** Refuses a changed record that breaks a rule. */
export async function refuseRevision(
  db: Reader,
  account: AccountId,
  before: ShipmentRecord,
  revised: ShipmentRecord,
): Promise<void> {
  await refuseShipmentFaults(db, account, revised, before)
  await refuseLostContainers(db, account, before, revised)
}

// A container that order lines are packed into, or that events name, cannot be removed.
async function refuseLostContainers(
  db: Reader,
  account: AccountId,
  before: ShipmentRecord,
  revised: ShipmentRecord,
): Promise<void> {
  const left = new Set(numbersOf(revised))
  const removed = numbersOf(before).filter((number) => !left.has(number))
  if (removed.length === 0) return
  const assignments = await findAssignmentsOfShipments(db, account, [before.svc_shipment_id])
  const packed = new Set(assignments.flatMap((each) => each.shipped_order_lines.map((line) => line.container_number)))
  const withLines = removed.filter((number) => packed.has(number)).join(', ')
  if (withLines) throw new Refusal('container_packed', `Order lines are packed into ${withLines}.`)
  const tracking = await findWholeTracking(db, account, before)
  const named = tracking ? namedContainers(tracking) : new Set<string>()
  const withEvents = removed.filter((number) => named.has(number)).join(', ')
  if (withEvents) throw new Refusal('container_has_events', `Tracking events refer to ${withEvents}.`)
}

/** Refuses a shipment that breaks a rule its schema cannot express. */
export async function refuseShipmentFaults(
  db: Reader,
  account: AccountId,
  given: ShipmentInput,
  before: Pick<ShipmentInput, 'route' | 'cargo'>,
): Promise<void> {
  const faults = [...cargoFaults(given, before), ...(await routeFaults(db, account, given.route, before.route))]
  if (faults.length > 0) throw invalid(faults)
}

/** A route may keep a location that was retired since, but not add one. */
async function routeFaults(db: Reader, account: AccountId, route: Route = {}, before: Route = {}): Promise<Fault[]> {
  const named = (['pickup_location_id', 'delivery_location_id'] as const).flatMap((field) => {
    const id = route[field]
    return id === undefined || id === before[field] ? [] : [{ pointer: `/route/${field}`, id }]
  })
  const numbers = named.filter(({ id }) => isLocationId(id)).map(({ id }) => Number(id))
  const states = numbers.length > 0 ? await findLocationStates(db, account, numbers) : new Map<number, never>()
  return named.flatMap(({ pointer, id }) => {
    const state = isLocationId(id) ? states.get(Number(id)) : undefined
    if (!state) return [{ pointer, detail: 'the account has no such location' }]
    return state.retired ? [{ pointer, detail: 'the location is retired' }] : []
  })
}
