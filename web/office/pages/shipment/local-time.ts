import { zoneOffset } from '../../../../src/domain/messages/event-time.js'
import { presentDate } from '../../../ui/clock.js'
import type { Step } from './place-of.js'

/** Times of events are in the local time of their place: fields have the time, the offset is that of the place's zone. */

/** The offset of a step at a local time; where its zone is not known, that of the newest event there, or of this browser. */
export function offsetOf(step: Pick<Step, 'time_zone' | 'events'> | undefined, local: string): string {
  if (step?.time_zone !== undefined && local !== '')
    return shownOffset(zoneOffset(`${local.slice(0, 16)}:00`, step.time_zone))
  const known = step?.events.flatMap(({ date }) => /(?:Z|[+-]\d\d:\d\d)$/.exec(date ?? '')?.[0] ?? []).at(-1)
  return known === undefined ? ownOffset() : shownOffset(known)
}

function shownOffset(offset: string): string {
  return offset === 'Z' ? '+00:00' : offset
}

function ownOffset(): string {
  const minutes = -presentDate().getTimezoneOffset()
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

/** The value of a field of date and time. */
export function localOf(date: string): string {
  return date.slice(0, 16)
}

export function localNow(): string {
  const now = presentDate()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function withOffset(local: string, offset: string): string {
  return `${local.slice(0, 16)}:00${offset}`
}
