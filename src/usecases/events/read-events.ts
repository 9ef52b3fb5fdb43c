import type { ChangeEvent, EventType } from '../../contract/public/event.js'
import type { Reader } from '../../database/database.js'
import { takeTurns } from '../../jobs/in-slices.js'
import {
  type ChangePosition,
  findChangedKinds,
  listChangesAfter,
  listChangesBefore,
  type OrderedChange,
  type RecordVersions,
  readRecordVersions,
} from '../../ledger/changes.js'
import { changedFields, comparesFields, hasDerivedFields, sourceKinds } from './changed-fields.js'
import { eventOf, type FeedOrigin, isEventKind, needsRecords } from './event-types.js'

export type EventFilter = {
  types: ReadonlySet<EventType> | undefined
  limit: number
  /** Up to this revision. */
  upTo?: number
  /** Newest first, from the position back to this revision, without it. */
  downTo?: number | undefined
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

// A request reads so many changes at most, however many of them make events; compares so many bytes of records; and looks so many
// changes up at a time.
export const mostChanges = 1000
const mostBytes = 4 * 1024 * 1024
const changesAtATime = 50
const none: ReadonlySet<string> = new Set()

/** The next events of an account, in the order of its changes or newest first. */
export async function readEvents(
  db: Reader,
  origin: FeedOrigin,
  after: ChangePosition,
  filter: EventFilter,
): Promise<EventPage> {
  const { most = mostChanges, upTo, downTo } = filter
  const changes = await (downTo === undefined
    ? listChangesAfter(db, origin.account, after, { most, upTo })
    : listChangesBefore(db, origin.account, after, { most, downTo }))
  const page: EventPage = {
    events: [],
    position: after,
    hasMore: changes.length === most,
    oldest: changes[0]?.at,
    read: changes.length,
  }
  let read = 0
  let bytes = 0
  for (let start = 0; start < changes.length; start += changesAtATime) {
    const some = changes.slice(start, start + changesAtATime)
    for await (const { change, event, compared } of eventsOf(db, origin, some, filter)) {
      const { revision, kind, id } = change
      page.position = { revision, kind, id }
      if (event && !(filter.types && !filter.types.has(event.type)))
        page.events.push({ ...event, position: page.position })
      read += 1
      bytes += compared
      if (page.events.length === filter.limit || bytes > mostBytes)
        return { ...page, hasMore: page.hasMore || read < changes.length }
    }
  }
  return page
}

/** In the order of the changes, each with the number of bytes that were compared for it. */
async function* eventsOf(
  db: Reader,
  origin: FeedOrigin,
  changes: OrderedChange[],
  { types }: EventFilter,
): AsyncGenerator<{ change: OrderedChange; event: ChangeEvent | undefined; compared: number }> {
  const wanted = new Set(changes.filter(({ kind }) => isEventKind(kind, types)))
  const needed = (change: OrderedChange) => isEventKind(change.kind) && needsRecords(change.kind)
  const compared = new Set([...wanted].filter((change) => needed(change) || comparesFields(change)))
  const revisions = [...new Set([...wanted].filter(hasDerivedFields).map(({ revision }) => revision))]
  const sources = await findChangedKinds(db, origin.account, revisions, sourceKinds)
  const versions = readRecordVersions(db, origin.account, [...compared])
  const others = takeTurns()
  for (const change of changes) {
    let event: ChangeEvent | undefined
    let found: RecordVersions | undefined
    if (wanted.has(change)) {
      if (compared.has(change)) found = (await versions.next()).value as RecordVersions | undefined
      const fields = await changedFields(change, found, sources.get(change.revision) ?? none, others)
      event = await eventOf(origin, change, needed(change) ? found : undefined, fields, others)
    }
    yield { change, event, compared: (found?.now?.length ?? 0) + (found?.before?.length ?? 0) }
  }
}
