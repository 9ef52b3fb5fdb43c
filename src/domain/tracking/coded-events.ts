import type { EventCode } from '../../contract/public/event-codes.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { Party, StepType, TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { finish, type InParts } from '../records/in-parts.js'
import { holderOf } from './authority.js'
import { codeOfText, isExpectation } from './event-phrases.js'
import { orderOf, type Span, spanOf } from './event-span.js'
import { landDeparturesInParts } from './land-departures.js'
import { presentNumbers } from './tracking-containers.js'

/** A tracking, and how its shipment is carried, by which texts are understood: it is not stored with the tracking. */
export type CarriedTracking = TrackingRecord & { freight_mode?: ShipmentRecord['freight_mode'] | undefined }

type Mode = ShipmentRecord['freight_mode'] | undefined
type StoredEvent = NonNullable<TrackingStepRecord['events']>[number]

/** An event as the rules see it: with a code, its step, and its position in the order of knowledge. */
export type CodedEvent = {
  code: EventCode
  status: 'planned' | 'estimated' | 'actual' | 'problem' | undefined
  date: string | undefined
  /** The instant (ms) that its date states, and when it may have been; NaN without a date. Parsed once: many rules compare them. */
  at: number
  span: Span
  zone: StoredEvent['zone']
  precision: StoredEvent['precision']
  /** Undefined for events of the vessel, or of the whole shipment. */
  container: string | undefined
  /** The index of its step, and the type of that; its own index at the step. */
  step: number
  type: StepType
  index: number
  /** A container departed from the first port, but by land: the code is `OTHER`, since it moves nothing. */
  isLandDeparture?: boolean
  /** An operator has released it from quarantine. */
  isReleased: boolean
  source: string | undefined
  party: Party | undefined
  /** Who holds it, or releases it, if that is named. */
  authority: string | undefined
  vessel: StoredEvent['vessel']
  /** When its source issued it, if that is known; the position among all events otherwise. */
  issuedAt: number | undefined
  position: number
}

/** Kept back: neither shown nor used. */
export function isQuarantined({ quarantine, released }: Pick<StoredEvent, 'quarantine' | 'released'>): boolean {
  return quarantine !== undefined && released !== true
}

/** The events that count: quarantined ones are left out. */
export function codedEvents(tracking: CarriedTracking): CodedEvent[] {
  return finish(codedEventsInParts(tracking))
}

// The events that cannot be true are found by them, then the dates, mostly of the same tracking.
const codedOf = new WeakMap<CarriedTracking, CodedEvent[]>()

export function* codedEventsInParts(tracking: CarriedTracking): InParts<CodedEvent[]> {
  const known = codedOf.get(tracking)
  if (known) return known
  const coded = yield* codedInParts(tracking)
  codedOf.set(tracking, coded)
  return coded
}

function* codedInParts(tracking: CarriedTracking): InParts<CodedEvent[]> {
  const { tracking_steps = [], freight_mode: mode } = tracking
  const present = presentNumbers(tracking)
  const coded: CodedEvent[] = []
  for (const [step, { type, events = [] }] of tracking_steps.entries()) {
    if (type === undefined) continue
    for (const [index, event] of events.entries()) {
      yield
      if (isQuarantined(event)) continue
      coded.push({
        code: codeOf(event, type, mode),
        status: statusOf(event, type, mode),
        date: event.date,
        at: Date.parse(event.date ?? ''),
        span: spanOf(event),
        zone: event.zone,
        precision: event.precision,
        container: present(event.container_number),
        step,
        type,
        index,
        isReleased: event.released === true,
        source: event.source,
        party: event.party,
        authority: holderOf(event),
        vessel: event.vessel,
        issuedAt: event.issued_at === undefined ? undefined : Date.parse(event.issued_at),
        position: coded.length,
      })
    }
  }
  // By rail and by truck, the main leg is by land.
  if (mode === 'rail' || mode === 'truck') return coded
  const storedOf = ({ step, index }: CodedEvent): Partial<StoredEvent> => tracking_steps[step]?.events?.[index] ?? {}
  const land = yield* landDeparturesInParts(coded, {
    textOf(event) {
      const { description, mode: by } = storedOf(event)
      return [description, by].join(' ')
    },
    isText: (event) => storedOf(event).code === undefined,
  })
  if (land.size === 0) return coded
  return coded.map((event) => (land.has(event) ? { ...event, code: 'OTHER', isLandDeparture: true } : event))
}

/** The code that the event came with, or that of its text. */
export function codeOf(
  { code, description }: Pick<StoredEvent, 'code' | 'description'>,
  type: StepType,
  mode?: Mode,
): EventCode {
  if (code !== undefined) return code
  return description === undefined ? (bareCodes[type] ?? 'OTHER') : recognized(description, type, mode).code
}

// Interface 2.6: an event needs no description. A bare date at a step is that of its milestone.
const bareCodes: Partial<Record<StepType, EventCode>> = {
  pickup: 'PICKED_UP',
  origin_port: 'DEPARTED',
  destination_port: 'ARRIVED',
  delivery: 'DELIVERED',
}

// "Estimated arrival" has not happened, whatever its status says.
function statusOf({ status, code, description }: StoredEvent, type: StepType, mode: Mode): CodedEvent['status'] {
  const isText = status === 'actual' && code === undefined && description !== undefined
  return isText && recognized(description, type, mode).isExpectation ? 'estimated' : status
}

type Recognized = { code: EventCode; isExpectation: boolean }

// The same few texts come again and again, and recognising one takes some 90 µs.
const cached = new Map<string, Recognized>()
const maxCached = 5000
const longestCached = 200

function recognized(text: string, type: StepType, mode?: Mode): Recognized {
  const key = `${type} ${mode ?? ''} ${text}`
  const known = cached.get(key)
  if (known) return known
  const found = { code: codeOfText(text, type, mode), isExpectation: isExpectation(text) }
  if (cached.size >= maxCached) cached.clear()
  if (text.length <= longestCached) cached.set(key, found)
  return found
}

/** Whether the second is known later than the first. */
export function isNewer(one: CodedEvent, other: CodedEvent): boolean {
  if (one.issuedAt === undefined || other.issuedAt === undefined) {
    // Lists are in any order, also from the newest to the oldest; what is expected is no time at which anything was known.
    const order = hasHappened(one) && hasHappened(other) ? orderOf(one, other) : 0
    return order === 0 ? other.position > one.position : order < 0
  }
  if (one.issuedAt !== other.issuedAt) return other.issuedAt > one.issuedAt
  // Issued together, they may come in any order: which counts must not depend on it.
  const later = other.at - one.at
  if (later) return later > 0
  if (one.status !== other.status) return rank(other) > rank(one)
  return other.position > one.position
}

function hasHappened({ status, date }: CodedEvent): boolean {
  return date !== undefined && (status === 'actual' || status === 'problem')
}

function rank({ status }: CodedEvent): number {
  return ['planned', 'estimated', 'problem', 'actual'].indexOf(status ?? '')
}
