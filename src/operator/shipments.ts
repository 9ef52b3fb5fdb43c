import { randomInt } from 'node:crypto'
import { ShipmentInput, type ShipmentVersion } from '../contract/ops/shipments.js'
import { type Fault, invalid, Refusal } from '../contract/refusals.js'
import type { Route, Shipment, ShipmentRecord, ShipmentStatus } from '../contract/shipment.js'
import { validatorOf } from '../contract/validation.js'
import { mergePatch } from '../domain/merge-patch.js'
import { cargoFaults, cargoWarnings, numbersOf, withComputedTotals } from '../domain/shipment-cargo.js'
import { formatShipmentId, idAlphabet, idLength } from '../domain/shipment-id.js'
import { shipmentMoves } from '../domain/shipment-status.js'
import { namedContainers } from '../domain/tracking-containers.js'
import { findAssignmentsOfShipments } from '../storage/assignments.js'
import type { Reader } from '../storage/database.js'
import { findRevisionAt, findVersions, listVersionsAt, type PresentVersion } from '../storage/history.js'
import { findLocationStates, isLocationId } from '../storage/locations.js'
import { findShipmentBodies, findShipmentStatuses, listShipmentBodies, saveShipments } from '../storage/shipments.js'
import type { AccountId, Transaction } from '../storage/transaction.js'
import { shipmentsShownAt } from './as-of.js'
import { deriveShipments, refreshPurchaseOrders } from './derivation.js'
import type { OperatorHandlers } from './handlers.js'
import { findWholeTracking, followContainers, followShipmentStatus } from './tracking-record.js'
import { envelopeOf, getVersion, isUnchanged } from './versions.js'

export const shipmentHandlers: OperatorHandlers<
  'listShipments' | 'createShipment' | 'getShipment' | 'replaceShipment' | 'updateShipment' | 'moveShipment'
> = {
  async listShipments({ db, account }, { query: { skip = 0, take = 20, as_of } }) {
    if (as_of !== undefined) {
      const revision = await findRevisionAt(db, account, as_of)
      const versions = await listVersionsAt(db, account, 'shipment', revision, { skip, take })
      const shown = await shipmentsShownAt(db, account, versions, revision)
      return versions.map((version) => versionOf(version, shown.get(version.id)))
    }
    const page = await listShipmentBodies(db, account, { skip, take })
    const ids = page.map(({ id }) => id)
    const versions = await findVersions(db, account, 'shipment', ids)
    return page.flatMap(({ id, body }) => {
      const version = versions.get(id)
      return version ? [versionOf(version, JSON.parse(body) as Shipment)] : []
    })
  },

  async createShipment({ tx, account }, { body }) {
    const { svc_shipment_id = await freeIdentifier(tx, account), status = 'booking_request', ...input } = body
    const stored = await findShipmentStatuses(tx.sql, account, [svc_shipment_id])
    if (stored.has(svc_shipment_id)) throw new Refusal('shipment_exists')
    await refuseFaults(tx, account, input, {})
    const created_at = new Date().toISOString()
    const record = withComputedTotals({ svc_shipment_id, status, created_at, ...input })
    return save(tx, account, record, { what: 'created' })
  },

  async getShipment({ db, account }, { params: { svc_shipment_id: id }, query: { as_of } }) {
    const { version, revision } = await getVersion(db, account, 'shipment', id, {
      asOf: as_of,
      missing: 'shipment_not_found',
    })
    if (revision === undefined) return present(db, account, version)
    return versionOf(version, (await shipmentsShownAt(db, account, [version], revision)).get(id))
  },

  async replaceShipment({ tx, account }, { params: { svc_shipment_id }, body }) {
    const before = await getRecord(tx, account, svc_shipment_id)
    // What operators do not say stays: the status, and what an import told that nothing is derived from yet.
    const { computed_totals: _computed, ...rest } = parted(before).rest
    const { created_at } = before
    return revise(tx, account, before, { ...rest, ...(created_at && { created_at }), ...body })
  },

  async updateShipment({ tx, account }, { params: { svc_shipment_id }, body }) {
    const record = await getRecord(tx, account, svc_shipment_id)
    const merged = mergePatch(record, body) as ShipmentRecord
    const { input, rest } = parted(merged)
    const faults = inputValidator.faultsIn(input)
    if (faults.length > 0) throw invalid(faults)
    // A total that is sent is no longer a computed one, nor is one that is taken away.
    const sent = Object.keys(((body as { cargo?: object }).cargo ?? {}) satisfies object)
    const computed_totals = (record.computed_totals ?? []).filter((name) => !sent.includes(name))
    return revise(tx, account, record, { ...rest, ...input, computed_totals })
  },

  async moveShipment({ tx, account }, { params: { svc_shipment_id }, body: { status, reason, correction = false } }) {
    const record = await getRecord(tx, account, svc_shipment_id)
    if (reason === undefined && (correction || status === 'cancelled')) {
      const what = correction ? 'a correction' : 'a cancellation'
      throw invalid([{ pointer: '/reason', detail: `is required for ${what}` }])
    }
    refuseMove(record.status, status, correction)
    await save(tx, account, { ...record, status }, { what: correction ? 'corrected' : 'updated', reason })
    await followShipmentStatus(tx, account, svc_shipment_id, status, reason)
    return getPresent(tx, account, svc_shipment_id)
  },
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

const inputValidator = validatorOf(ShipmentInput)
const inputFields = new Set(Object.keys(ShipmentInput.properties))

/** What operators give of a record, and the rest of it. */
function parted(record: ShipmentRecord): { input: ShipmentInput; rest: ShipmentRecord } {
  const entries = Object.entries(record)
  return {
    input: Object.fromEntries(entries.filter(([name]) => inputFields.has(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !inputFields.has(name))) as ShipmentRecord,
  }
}

async function revise(
  tx: Transaction,
  account: AccountId,
  before: ShipmentRecord,
  revised: ShipmentRecord,
): Promise<ShipmentVersion> {
  await refuseFaults(tx, account, revised, before)
  await refuseLostContainers(tx, account, before, revised)
  return save(tx, account, withComputedTotals(revised), { what: 'updated' })
}

// Order lines are packed into containers of the shipment, and events are told of them: such a one cannot go.
async function refuseLostContainers(
  tx: Transaction,
  account: AccountId,
  before: ShipmentRecord,
  revised: ShipmentRecord,
): Promise<void> {
  const left = new Set(numbersOf(revised))
  const gone = numbersOf(before).filter((number) => !left.has(number))
  if (gone.length === 0) return
  const assignments = await findAssignmentsOfShipments(tx.sql, account, [before.svc_shipment_id])
  const packed = new Set(assignments.flatMap((each) => each.shipped_order_lines.map((line) => line.container_number)))
  const unpacked = gone.filter((number) => packed.has(number)).join(', ')
  if (unpacked) throw new Refusal('container_packed', `Order lines are packed into ${unpacked}, which would be gone.`)
  const tracking = await findWholeTracking(tx, account, before.svc_shipment_id)
  const named = tracking ? namedContainers(tracking) : new Set<string>()
  const untold = gone.filter((number) => named.has(number)).join(', ')
  if (untold) throw new Refusal('container_has_events', `Events are told of ${untold}, which would be gone.`)
}

async function getRecord({ sql }: Transaction, account: AccountId, id: string): Promise<ShipmentRecord> {
  const version = (await findVersions(sql, account, 'shipment', [id])).get(id)
  if (!version) throw new Refusal('shipment_not_found')
  return JSON.parse(version.record) as ShipmentRecord
}

// Ids are few beside those that can be made: a second try is rare, a third one never seen.
async function freeIdentifier(tx: Transaction, account: AccountId): Promise<string> {
  const id = formatShipmentId(randomInt(idAlphabet.length ** idLength))
  const taken = await findShipmentStatuses(tx.sql, account, [id])
  return taken.has(id) ? freeIdentifier(tx, account) : id
}

async function refuseFaults(
  { sql }: Transaction,
  account: AccountId,
  given: ShipmentInput,
  before: Pick<ShipmentInput, 'route' | 'cargo'>,
): Promise<void> {
  const faults = [...cargoFaults(given, before), ...(await routeFaults(sql, account, given.route, before.route))]
  if (faults.length > 0) throw invalid(faults)
}

/** A route may go on naming a location that was retired, but not begin to. */
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

async function save(
  tx: Transaction,
  account: AccountId,
  record: ShipmentRecord,
  change: { what: 'created' | 'updated' | 'corrected'; reason?: string | undefined },
): Promise<ShipmentVersion> {
  const id = record.svc_shipment_id
  const before = (await findVersions(tx.sql, account, 'shipment', [id])).get(id)
  if (!isUnchanged(before?.record, record)) {
    const previous = before && (JSON.parse(before.record) as ShipmentRecord)
    const containers = numbersOf(record)
    if (previous && numbersOf(previous).join() !== containers.join()) {
      await followContainers(tx, account, id, containers)
    }
    const [derived] = await deriveShipments(tx, account, new Map([[id, record]]))
    await saveShipments(tx, account, [
      {
        svc_shipment_id: id,
        created_at: record.created_at,
        stored_at: undefined,
        status: record.status,
        body: derived?.body as string,
        record: JSON.stringify(record),
        ...change,
      },
    ])
    if (previous && previous.status !== record.status) await refreshOrdersOf(tx, account, id)
  }
  return getPresent(tx, account, id)
}

// Orders show the status of the shipments that they are on.
async function refreshOrdersOf(tx: Transaction, account: AccountId, shipment: string): Promise<void> {
  const assignments = await findAssignmentsOfShipments(tx.sql, account, [shipment])
  const references = [...new Set(assignments.map(({ reference }) => reference))]
  if (references.length > 0) await refreshPurchaseOrders(tx, account, references)
}

async function getPresent({ sql }: Transaction, account: AccountId, id: string): Promise<ShipmentVersion> {
  const { version } = await getVersion(sql, account, 'shipment', id, { asOf: undefined, missing: 'shipment_not_found' })
  return present(sql, account, version)
}

async function present(db: Reader, account: AccountId, version: PresentVersion): Promise<ShipmentVersion> {
  const body = (await findShipmentBodies(db, account, [version.id])).get(version.id)
  return versionOf(version, body === undefined ? undefined : (JSON.parse(body) as Shipment))
}

function versionOf(version: PresentVersion, shown: Shipment | undefined): ShipmentVersion {
  const envelope = { ...envelopeOf(version), record: JSON.parse(version.record) as ShipmentRecord }
  const warnings = cargoWarnings(envelope.record)
  return { ...envelope, ...(shown && { shown }), ...(warnings.length > 0 && { warnings }) }
}
