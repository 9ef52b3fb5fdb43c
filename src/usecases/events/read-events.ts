import type { ChangeEvent, EventType } from '../../contract/public/event.js'
import type { Reader } from '../../database/database.js'
import {
  type ChangePosition,
  findChangedKinds,
  findRecordVersions,
  listChangesAfter,
  type OrderedChange,
} from '../../ledger/changes.js'
import { changedFields, comparesFields, hasDerivedFields, sourceKinds } from './changed-fields.js'
import { eventOf, type FeedOrigin, isEventKind, needsRecords } from './event-types.js'

export type EventFilter = {
  types: ReadonlySet<EventType> | undefined
  limit: number
  /** Up to this revision. */
  upTo?: number
  /** How many changes to read, at most. */
  most?: number
}

export type EventPage = {
  events: (ChangeEvent & { position: ChangePosition })[]
  /** Where the next page begins, also if nothing of what was read makes an event. */
  position: ChangePosition
  hasMore: boolean
  /** When the first change of the page was recorded, whether it makes an event or not. */
  oldest: string | undefined
  /** How many changes were read. */
  read: number
}

// A request reads so many changes at most, however many of them make events; and so many records at a time.
export const mostChanges = 1000
const recordsAtATime = 50
const none: ReadonlySet<string> = new Set()

/** The next events of an account. */
export async function readEvents(
  db: Reader,
  origin: FeedOrigin,
  after: ChangePosition,
  filter: EventFilter,
): Promise<EventPage> {
  const { most = mostChanges, upTo } = filter
  const changes = await listChangesAfter(db, origin.account, after, { most, upTo })
  const page: EventPage = {
    events: [],
    position: after,
    hasMore: changes.length === most,
    oldest: changes[0]?.at,
    read: changes.length,
  }
  for (let start = 0; start < changes.length; start += recordsAtATime) {
    const some = changes.slice(start, start + recordsAtATime)
    const events = await eventsOf(db, origin, some, filter)
    for (const [index, change] of some.entries()) {
      const event = events[index]
      const { revision, kind, id } = change
      page.position = { revision, kind, id }
      if (!event || (filter.types && !filter.types.has(event.type))) continue
      page.events.push({ ...event, position: page.position })
      if (page.events.length < filter.limit) continue
      return { ...page, hasMore: page.hasMore || start + index + 1 < changes.length }
    }
  }
  return page
}

async function eventsOf(
  db: Reader,
  origin: FeedOrigin,
  changes: OrderedChange[],
  { types }: EventFilter,
): Promise<(ChangeEvent | undefined)[]> {
  const wanted = changes.filter(({ kind }) => isEventKind(kind, types))
  const needed = (change: OrderedChange) => isEventKind(change.kind) && needsRecords(change.kind)
  const compared = wanted.filter((change) => needed(change) || comparesFields(change))
  const revisions = [...new Set(wanted.filter(hasDerivedFields).map(({ revision }) => revision))]
  const [versions, sources] = await Promise.all([
    findRecordVersions(db, origin.account, compared),
    findChangedKinds(db, origin.account, revisions, sourceKinds),
  ])
  const versionsOf = new Map(compared.map((change, index) => [change, versions[index]]))
  const isWanted = new Set(wanted)
  return changes.map((change) => {
    if (!isWanted.has(change)) return undefined
    const found = versionsOf.get(change)
    const fields = changedFields(change, found, sources.get(change.revision) ?? none)
    return eventOf(origin, change, needed(change) ? found : undefined, fields)
  })
}
