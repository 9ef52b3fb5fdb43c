import type { ReferenceKind } from '../../contract/operator/messages.js'
import type { ShipmentStatus } from '../../contract/public/shipment.js'
import { day } from '../dates/local-time.js'
import { type DocumentReference, type IncomingEvent, referencesOf } from './incoming-event.js'

/** Which shipment an event is about, of all accounts. Never a guess: of several, none. */

/** A shipment that has a reference. */
export type Candidate = {
  reference: string
  kind: ReferenceKind
  account_id: number
  account: string
  svc_shipment_id: string
  status: ShipmentStatus | null
  /** When its journey begins: the earliest date that is known of it. */
  begins_at: number
  delivered_at: string | null
  /** Its bookings and bills, each with its kind in front. */
  documents: string[]
  has_containers: boolean
}

export type Target = Pick<Candidate, 'account_id' | 'account' | 'svc_shipment_id'>

export type Match =
  | { target: Target }
  | {
      reason: string
      suggestions: Candidate[]
      /** The references that no shipment has yet. */
      waiting: string[]
    }

export function matchEvent(event: IncomingEvent, known: Map<string, Candidate[]>): Match {
  const all = referencesOf(event)
  const found = (references: string[]) => references.flatMap((reference) => known.get(reference) ?? [])
  const waiting = all.filter((reference) => !known.has(reference))
  const unmatched = (reason: string, suggestions: Candidate[]) => ({
    reason,
    suggestions: suggestions.slice(0, 10),
    waiting,
  })
  if (all.length === 0) return unmatched('the event has no reference', [])

  const units = found(event.containers).filter(({ kind }) => kind === 'container')
  const shipmentsOf = (documents: DocumentReference[]) =>
    narrowed(documents.map(({ kind, reference }) => found([reference]).filter((each) => kinds[kind].has(each.kind))))
  const named = shipmentsOf(event.documents.filter(({ kind }) => kind !== 'order'))
  const ofOrders = shipmentsOf(event.documents.filter(({ kind }) => kind === 'order'))
  // Customers number their orders alike: an order chooses between shipments, but is no evidence against a booking or bill.
  const ordered = named.filter((one) => ofOrders.some((other) => isSame(one, other)))
  const documented = named.length === 0 ? ofOrders : ordered.length > 0 ? ordered : named
  const both = documented.filter((one) => units.some((other) => isSame(one, other)))
  if (both.length > 0) return single(both, unmatched)
  if (documented.length > 0 && (named.length > 0 || units.length === 0)) {
    // A vessel carries the containers that are not recorded yet as well.
    const isOfAll = event.isOfTransport && documented.every(({ has_containers }) => !has_containers)
    if (event.containers.length === 0 || isOfAll) return single(documented, unmatched)
    return unmatched(`the shipment of this booking or bill has no container ${event.containers.join(', ')}`, documented)
  }
  const fitting = units.filter((unit) => isWithinWindow(unit, event) && !isContradicted(event, unit))
  if (fitting.length > 0) {
    const underWay = fitting.filter((unit) => isBeforeEnd(unit, event))
    return single(underWay.length > 0 ? underWay : fitting, unmatched)
  }
  if (units.length > 0) return unmatched('the container is of a shipment of another booking, bill or time', units)
  return unmatched(`no shipment has ${all.slice(0, 5).join(', ')}`, [])
}

const kinds: Record<IncomingEvent['documents'][number]['kind'], Set<ReferenceKind>> = {
  booking: new Set(['booking']),
  bill: new Set(['master_bill', 'house_bill']),
  order: new Set(['purchase_order']),
  any: new Set(['shipment', 'booking', 'master_bill', 'house_bill', 'purchase_order']),
}

/** The shipments that all known references have in common; if there are none, all of them. */
function narrowed(found: Candidate[][]): Candidate[] {
  const known = found.filter(({ length }) => length > 0)
  const counts = new Map<string, number>()
  for (const candidates of known) {
    for (const key of new Set(candidates.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const common = known.flatMap((candidates) => candidates.filter((each) => counts.get(keyOf(each)) === known.length))
  return common.length > 0 ? common : known.flat()
}

function keyOf({ account_id, svc_shipment_id }: Candidate): string {
  return `${account_id} ${svc_shipment_id}`
}

function single(candidates: Candidate[], unmatched: (reason: string, all: Candidate[]) => Match): Match {
  const [first, ...others] = candidates.filter(
    (one, index) => candidates.findIndex((each) => isSame(each, one)) === index,
  )
  if (!first || others.length > 0) return unmatched(`${others.length + 1} shipments have these references`, candidates)
  const { account_id, account, svc_shipment_id } = first
  return { target: { account_id, account, svc_shipment_id } }
}

function isSame(one: Candidate, other: Candidate): boolean {
  return one.account_id === other.account_id && one.svc_shipment_id === other.svc_shipment_id
}

const margin = 30 * day

// Containers are used again: a shipment has its container from about its booking until a while after its delivery.
function isWithinWindow({ status, begins_at, delivered_at }: Candidate, { date }: IncomingEvent): boolean {
  if (status === 'cancelled') return false
  const at = Date.parse(date)
  if (at < begins_at - margin) return false
  return status !== 'finished' || (delivered_at !== null && at <= Date.parse(delivered_at) + margin)
}

/** An empty container may come back late, but not if another shipment has it by then. */
function isBeforeEnd({ delivered_at }: Candidate, { date }: IncomingEvent): boolean {
  return delivered_at === null || Date.parse(date) <= Date.parse(delivered_at) + margin
}

/** Whether the event names another booking, or another bill, than the one that the shipment has. */
function isContradicted(event: IncomingEvent, { documents }: Candidate): boolean {
  return event.documents.some(({ kind, reference }) => {
    const prefix = kind === 'booking' ? 'booking ' : 'master_bill '
    const isOfCarrier = kind === 'booking' || kind === 'bill'
    return isOfCarrier && documents.some((each) => each.startsWith(prefix)) && !documents.includes(prefix + reference)
  })
}
