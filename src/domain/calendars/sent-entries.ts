import type { CalendarEntry } from './calendar-entries.js'

/** What of an entry, besides its day, calendar programs show. */
export type SentContent = { shipment: string; summary: string; description: string }

/** An entry as it was sent, or is now. */
type Sent = {
  entry_id: string
  day: string
  /** `SentContent` as JSON. */
  content: string
  sequence: number
  changed_at: Date
  is_cancelled: boolean
}

type Now = {
  present: readonly CalendarEntry[]
  /** The first day of the calendar. */
  first: string
  today: string
  /** Whether all entries are present, or there were too many. */
  isComplete: boolean
  at: Date
}

/**
 * What a calendar has to send, given what it sent before. An entry that changed has a higher sequence. One that is to come and no
 * longer present is cancelled; one in the past stays as it was, since shipments leave a view when they are finished.
 */
export function sentEntries(
  before: readonly Sent[],
  { present, first, today, isComplete, at }: Now,
): { entries: Sent[]; changed: Sent[]; gone: string[] } {
  const known = new Map(before.map((entry) => [entry.entry_id, entry]))
  const changed: Sent[] = []
  const gone: string[] = []
  const change = (entry: Sent): Sent => {
    changed.push(entry)
    return entry
  }
  const now = present.map(({ id, svc_shipment_id: shipment, day, summary, description }) => {
    const content = JSON.stringify({ shipment, summary, description } satisfies SentContent)
    const old = known.get(id)
    known.delete(id)
    if (old && old.content === content && old.day === day && !old.is_cancelled) return old
    return change({
      entry_id: id,
      day,
      content,
      sequence: old ? old.sequence + 1 : 0,
      changed_at: at,
      is_cancelled: false,
    })
  })
  const read = new Set(present.map(({ svc_shipment_id }) => svc_shipment_id))
  const absent = Array.from(known.values()).flatMap((old) => {
    const isUnread = !isComplete && !read.has((JSON.parse(old.content) as SentContent).shipment)
    if (old.day < first || isUnread) {
      gone.push(old.entry_id)
      return []
    }
    if (old.is_cancelled || old.day < today) return [old]
    return [change({ ...old, sequence: old.sequence + 1, changed_at: at, is_cancelled: true })]
  })
  const entries = [...now, ...absent].toSorted(
    (one, other) => compare(one.day, other.day) || compare(one.entry_id, other.entry_id),
  )
  return { entries, changed, gone }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
