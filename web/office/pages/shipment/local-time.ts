import { presentDate } from '../../../ui/clock.js'

/** Times of events are in the local time of their place: fields have the time, and the offset is that of the events there. */

/** The offset of the newest of these events; that of this browser without any. */
export function offsetAt(events: { date?: string | undefined }[]): string {
  const known = events.flatMap(({ date }) => /(?:Z|[+-]\d\d:\d\d)$/.exec(date ?? '')?.[0] ?? []).at(-1)
  if (known !== undefined) return known === 'Z' ? '+00:00' : known
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
