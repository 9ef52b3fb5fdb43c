import { businessTime } from '../../clock/clock.js'
import { cursorExpired, invalid, Refusal } from '../../contract/refusals.js'
import { day } from '../../domain/dates/local-time.js'
import { watchChanges } from '../../feed/change-watch.js'
import { afterRevision, type ChangePosition } from '../../ledger/changes.js'
import { findRevisionAt } from '../../ledger/history.js'
import type { CustomerHandler, ReadContext } from '../customer-context.js'
import { readCursor, writeCursor } from './event-cursor.js'
import { findObject, limitBytes } from './event-objects.js'
import { type FeedOrigin, typesIn } from './event-types.js'
import { type EventFilter, type EventPage, readEvents } from './read-events.js'

/** The changes of the account after a cursor, for which it waits if there are none; or those before it. */
export const listEvents: CustomerHandler<'listEvents'> = async (context, { query }) => {
  const { ask, account, caller, eventDays } = context
  const { after, wait = 0, include } = query
  const isBackwards = query.order === 'newest_first'
  if (isBackwards && wait > 0)
    throw invalid([{ pointer: '/wait', detail: 'must be absent with `order=newest_first`: what is older is there' }])
  const origin = { account, epoch: caller.secrets.epoch }
  const oldest = businessTime() - eventDays * day
  const findOldest = () => ask((db) => findRevisionAt(db, account, new Date(oldest).toISOString()))
  const start =
    after === undefined && !isBackwards ? afterRevision(await findOldest()) : positionOf(context, after ?? 'now')
  const downTo = isBackwards ? await findOldest() : undefined
  const filter = { types: typesIn(query.types), limit: query.limit ?? 100, downTo }
  let page = await ask((db) => readEvents(db, origin, start, filter))
  if (page.oldest !== undefined && Date.parse(page.oldest) < oldest) throw cursorExpired()
  if (isEmpty(page) && wait > 0) page = await waitForEvents(context, origin, page, filter, wait)
  const shown = include === 'object' ? await withObjects(context, page) : withoutObjects(page)
  const cursor = writeCursor({ account, secrets: caller.secrets }, shown.position)
  const rest = { cursor, has_more: shown.hasMore, retention_days: eventDays }
  const body = `{"events":[${shown.events.join(',')}],${JSON.stringify(rest).slice(1)}`
  return { body, revision: caller.revision, id: '' }
}

function positionOf({ account, caller }: ReadContext, after: string): ChangePosition {
  if (after === 'now') return afterRevision(caller.revision)
  return readCursor({ account, secrets: caller.secrets }, after) as ChangePosition
}

function isEmpty({ events, hasMore }: EventPage): boolean {
  return events.length === 0 && !hasMore
}

/** Returns when there is an event, after the time, or when the client disconnects or the service stops. */
async function waitForEvents(
  { db, account, caller, signal }: ReadContext,
  origin: FeedOrigin,
  empty: EventPage,
  filter: EventFilter,
  seconds: number,
): Promise<EventPage> {
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, seconds * 1000)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const watch = watchChanges(db, { account, key_id: caller.key_id, signal: ended.signal })
  try {
    let known = { revision: caller.revision, epoch: caller.secrets.epoch }
    let page = empty
    for (;;) {
      const update = await watch.next(known)
      if (ended.signal.aborted) return page
      if (update === 'ended') throw new Refusal('invalid_key', 'The key was revoked or has expired meanwhile.')
      if (update === 'timeout') continue
      if (update.epoch !== known.epoch) throw cursorExpired()
      page = await readEvents(db, origin, page.position, filter)
      if (!isEmpty(page)) return page
      known = update
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    watch.end()
  }
}

/** Events as JSON. */
type ShownPage = { events: string[]; position: ChangePosition; hasMore: boolean }

function withoutObjects({ events, position, hasMore }: EventPage): ShownPage {
  return { events: events.map(({ position: _position, ...event }) => JSON.stringify(event)), position, hasMore }
}

async function withObjects({ db, account, signLink }: ReadContext, page: EventPage): Promise<ShownPage> {
  const found = await limitBytes(page.events, ({ object }) => findObject(db, account, object, signLink))
  const events = found.map(({ of: { position: _position, ...event }, body }) => {
    const text = JSON.stringify(event)
    return body === undefined ? text : `${text.slice(0, -1)},"state":${body}}`
  })
  const last = found.at(-1)
  const isWhole = !last || found.length === page.events.length
  return { events, position: isWhole ? page.position : last.of.position, hasMore: isWhole ? page.hasMore : true }
}
