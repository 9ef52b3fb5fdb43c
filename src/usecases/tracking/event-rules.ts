import { randomBytes } from 'node:crypto'
import type { TrackingEvent, TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import { type Fault, invalid } from '../../contract/refusals.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { spanOf } from '../../domain/tracking/event-span.js'
import { namedSteps } from '../../domain/tracking/tracking.js'
import type { KnownTracking } from './tracking-record.js'

export function withEvents(known: KnownTracking, events: TrackingEventRecord[]): KnownTracking {
  return { ...known, entries: { ...known.entries, events } }
}

/** The position of a new entry among the entries of its kind. */
export function nextSequence(entries: { sequence: number }[]): number {
  return Math.max(0, ...entries.map(({ sequence }) => sequence)) + 1
}

export function newEntryId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`
}

// Clocks differ; more than that is a mistake.
const maxAhead = 15 * 60 * 1000

type Dated = Pick<TrackingEventRecord, 'date' | 'status' | 'zone' | 'precision'>

/** Whether it is reported as happened in the future. */
export function isAhead(event: Dated, receivedAt: string): boolean {
  return event.status === 'actual' && spanOf(event).from > Date.parse(receivedAt) + maxAhead
}

/** What is reported as happened in the future is kept, but neither shown nor used. */
export function withQuarantine<Event extends Dated>(event: Event, receivedAt: string): Event & { quarantine?: string } {
  return isAhead(event, receivedAt) ? { ...event, quarantine: 'the actual date is later than its receipt' } : event
}

/** The same for the events of a whole tracking. */
export function withQuarantines(record: TrackingRecord, receivedAt: string): TrackingRecord {
  if (!record.tracking_steps) return record
  const tracking_steps = record.tracking_steps.map((step) => ({
    ...step,
    ...(step.events && { events: step.events.map((event) => withQuarantine(event, receivedAt)) }),
  }))
  return { ...record, tracking_steps }
}

/** The date of a plan or an estimate, which may have set an initial date. */
export function expectedDate(event: TrackingEvent | undefined): string | undefined {
  return event?.status === 'planned' || event?.status === 'estimated' ? event.date : undefined
}

export function refuseUnknownStep(record: TrackingRecord, step: string): void {
  const names = namedSteps(record).map(({ id }) => id)
  if (names.includes(step)) return
  const fault: Fault = { pointer: '/step', detail: `the plan has no such step; it has: ${names.join(', ') || 'none'}` }
  throw invalid([fault])
}

export function refuseUnknownContainer({ shipment }: KnownTracking, container: string | undefined): void {
  const numbers = shipment ? numbersOf(shipment) : []
  if (container === undefined || numbers.includes(container)) return
  const detail = `the shipment has no container of this number; it has: ${numbers.join(', ') || 'none'}`
  throw invalid([{ pointer: '/container_number', detail }])
}
