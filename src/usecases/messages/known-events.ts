import type { TrackingEventRecord } from '../../contract/public/tracking.js'
import { hour } from '../../domain/dates/local-time.js'
import { nextSequence } from '../tracking/event-rules.js'

/** The events of a shipment while a message is applied to it, found without going through all of them. */
export class KnownEvents {
  readonly all: Map<string, TrackingEventRecord>
  #sequence: number
  // By what a message calls one event: there is a record of it for each container.
  #named = new Map<string, Set<string>>()
  #alike = new Map<string, Set<string>>()

  constructor(events: Iterable<[string, TrackingEventRecord]>) {
    this.all = new Map(events)
    this.#sequence = nextSequence([...this.all.values()])
    for (const event of this.all.values()) this.#index(event)
  }

  /** The records of an event. */
  of(eventId: string): TrackingEventRecord[] {
    return this.#found(this.#named.get(eventId))
  }

  /**
   * The record that says the same but for a shift of whole hours: what happened is stated again, in another time zone; or the same day
   * with and without a time.
   * Events with an identifier of their source are versions of each other by that alone.
   */
  restated(event: TrackingEventRecord): TrackingEventRecord | undefined {
    if (!isRestatable(event)) return undefined
    return this.#found(this.#alike.get(likeness(event))).find((other) => {
      const shift = Math.abs(Date.parse(event.date ?? '') - Date.parse(other.date ?? ''))
      const isShifted = shift % hour === 0 && shift <= 14 * hour
      return other.event_id !== event.event_id && (isShifted || isSameDay(event, other))
    })
  }

  put(event: TrackingEventRecord): void {
    this.all.set(event.event_id, event)
    this.#index(event)
  }

  remove({ event_id }: TrackingEventRecord): void {
    this.all.delete(event_id)
  }

  takeSequence(): number {
    this.#sequence += 1
    return this.#sequence - 1
  }

  #index(event: TrackingEventRecord): void {
    add(this.#named, nameOf(event), event.event_id)
    if (isRestatable(event)) add(this.#alike, likeness(event), event.event_id)
  }

  #found(ids: Set<string> = new Set()): TrackingEventRecord[] {
    return [...ids].flatMap((id) => this.all.get(id) ?? [])
  }
}

/** What a message calls the event of a record. */
export function nameOf({ event_id }: Pick<TrackingEventRecord, 'event_id'>): string {
  return event_id.split('.', 1)[0] as string
}

function isRestatable({ status, source_event_id, message_id }: TrackingEventRecord): boolean {
  return status === 'actual' && source_event_id === undefined && message_id !== undefined
}

// Where one of them does not say at what time of the day.
function isSameDay(one: TrackingEventRecord, other: TrackingEventRecord): boolean {
  const isDay = one.precision === 'day' || other.precision === 'day'
  return isDay && one.date?.slice(0, 10) === other.date?.slice(0, 10)
}

function likeness({ source, code, step, container_number, source_code, description }: TrackingEventRecord): string {
  // What has no code is known by its words alone.
  return JSON.stringify([source, code, step, container_number, source_code, code === 'OTHER' ? description : undefined])
}

function add(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key)
  if (ids) ids.add(id)
  else index.set(key, new Set([id]))
}
