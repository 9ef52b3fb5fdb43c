import type { EventCode } from '../../contract/public/event-codes.js'
import type { Party, StepType, TrackingRecord, TrackingStepRecord } from '../../contract/public/tracking.js'
import { codeOfText, isExpectation } from './event-phrases.js'
import { presentNumbers } from './tracking-containers.js'

type StoredEvent = NonNullable<TrackingStepRecord['events']>[number]

/** An event as the rules see it: with a code, its step, and its position in the order of knowledge. */
export type CodedEvent = {
  code: EventCode
  status: 'planned' | 'estimated' | 'actual' | 'problem' | undefined
  date: string | undefined
  /** Undefined for what is said of the vessel, or of the whole shipment. */
  container: string | undefined
  /** The index of its step, and the type of that; its own index at the step. */
  step: number
  type: StepType
  index: number
  /** An operator has released it from quarantine. */
  isReleased: boolean
  source: string | undefined
  party: Party | undefined
  vessel: StoredEvent['vessel']
  /** When its source said it, if it did say when; the position among all events otherwise. */
  issuedAt: number | undefined
  position: number
}

/** Kept back: neither shown nor believed. */
export function isQuarantined({ quarantine, released }: Pick<StoredEvent, 'quarantine' | 'released'>): boolean {
  return quarantine !== undefined && released !== true
}

/** The events that count: quarantined ones are left out. */
export function codedEvents(tracking: TrackingRecord): CodedEvent[] {
  const { tracking_steps = [] } = tracking
  const present = presentNumbers(tracking)
  const coded: CodedEvent[] = []
  for (const [step, { type, events = [] }] of tracking_steps.entries()) {
    if (type === undefined) continue
    for (const [index, event] of events.entries()) {
      if (isQuarantined(event)) continue
      coded.push({
        code: codeOf(event, type),
        status: statusOf(event, type),
        date: event.date,
        container: present(event.container_number),
        step,
        type,
        index,
        isReleased: event.released === true,
        source: event.source,
        party: event.party,
        vessel: event.vessel,
        issuedAt: event.issued_at === undefined ? undefined : Date.parse(event.issued_at),
        position: coded.length,
      })
    }
  }
  return coded
}

/** The code that the event came with, or that of its text. */
export function codeOf({ code, description }: Pick<StoredEvent, 'code' | 'description'>, type: StepType): EventCode {
  if (code !== undefined) return code
  return description === undefined ? (bareCodes[type] ?? 'OTHER') : recognized(description, type).code
}

// Interface 2.6: an event needs no description. A bare date at a step is that of its milestone.
const bareCodes: Partial<Record<StepType, EventCode>> = {
  pickup: 'PICKED_UP',
  origin_port: 'DEPARTED',
  destination_port: 'ARRIVED',
  delivery: 'DELIVERED',
}

// "Estimated arrival" has not happened, whatever its status says.
function statusOf({ status, code, description }: StoredEvent, type: StepType): CodedEvent['status'] {
  const isText = status === 'actual' && code === undefined && description !== undefined
  return isText && recognized(description, type).isExpectation ? 'estimated' : status
}

type Recognized = { code: EventCode; isExpectation: boolean }

// The same few texts come again and again, and recognising one takes about 50 µs.
const remembered = new Map<string, Recognized>()
const maxRemembered = 5000
const longestRemembered = 200

function recognized(text: string, type: StepType): Recognized {
  const key = `${type} ${text}`
  const known = remembered.get(key)
  if (known) return known
  const found = { code: codeOfText(text, type), isExpectation: isExpectation(text) }
  if (remembered.size >= maxRemembered) remembered.clear()
  if (text.length <= longestRemembered) remembered.set(key, found)
  return found
}

/** Whether the second is known later than the first. */
export function isNewer(one: CodedEvent, other: CodedEvent): boolean {
  if (one.issuedAt === undefined || other.issuedAt === undefined) return other.position > one.position
  if (one.issuedAt !== other.issuedAt) return other.issuedAt > one.issuedAt
  // Issued together, they may come in any order: which counts must not depend on it.
  const later = Date.parse(other.date ?? '') - Date.parse(one.date ?? '')
  if (later) return later > 0
  if (one.status !== other.status) return rank(other) > rank(one)
  return other.position > one.position
}

function rank({ status }: CodedEvent): number {
  return ['planned', 'estimated', 'problem', 'actual'].indexOf(status ?? '')
}
