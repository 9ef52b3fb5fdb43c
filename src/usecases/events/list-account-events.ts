import { setTimeout as sleep } from 'node:timers/promises'
import { businessTime } from '../../clock/clock.js'
import type { AccountEvent } from '../../contract/operator/events.js'
import { cursorExpired, Refusal } from '../../contract/refusals.js'
import { type AccountScope, forwarderAccount, includesAccount } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { day } from '../../domain/dates/local-time.js'
import { afterRevision, type ChangePosition } from '../../ledger/changes.js'
import { countRevisions, type EventRange, findNewestPosition, listRangesFrom } from '../../store/event-positions.js'
import { isOperatorActive } from '../../store/operators.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { OperatorHandler } from '../operator-context.js'
import { readCursor, writeCursor } from './event-cursor.js'
import { findObject, limitBytes } from './event-objects.js'
import { typesIn } from './event-types.js'
import { type EventFilter, mostChanges, readEvents } from './read-events.js'

/** After a change in a range of revisions; the ranges before it have been read. */
type Place = ChangePosition & { range: number }

type Page = { events: (AccountEvent & { place: Place; account_id: number })[]; place: Place; hasMore: boolean }

// A page looks at so many ranges at most, and a waiting request looks again as often (ms).
const mostRanges = 100
const pollInterval = 1000

/** What customers see change, over all accounts: ranges of revisions in the order in which they were counted. */
export const listAccountEvents: OperatorHandler<'listEvents'> = async (context, { query }) => {
  const { db, operator, signal, signLink, eventDays } = context
  const { after, wait = 0, include, account: slug } = query
  const scope = await accountScopeOf(db, operator, slug)
  const filter = { types: typesIn(query.types), limit: query.limit ?? 100, scope }
  const owner = { account: forwarderAccount, secrets: operator }
  const today = Math.floor(businessTime() / day)
  const deadline = performance.now() + wait * 1000
  await countRevisions(db, eventDays)
  const newest = await findNewestPosition(db)
  const start = after === undefined ? beginning : after === 'now' ? afterRange(newest) : placeOf(after)
  let page = await readPage(db, operator.epoch, start, filter)
  while (page.events.length === 0 && !page.hasMore && performance.now() < deadline && !signal.aborted) {
    await sleep(pollInterval, undefined, { signal }).catch(() => {})
    if (!(await isOperatorActive(db, operator.operator_id))) throw new Refusal('invalid_key')
    await countRevisions(db, eventDays)
    page = await readPage(db, operator.epoch, page.place, filter)
  }
  const limited = include === 'object' ? await withObjects(page) : page
  return {
    events: limited.events.map(({ place: _place, account_id: _account, ...event }) => event),
    cursor: writeCursor(owner, { ...limited.place, day: today }),
    has_more: limited.hasMore,
    retention_days: eventDays,
  }

  function placeOf(cursor: string): Place {
    const { day: readOn, ...place } = readCursor(owner, cursor) as Place & { day: number }
    // Ranges are removed when they are older than the feed goes back, and a cursor of that time may be before them.
    if (readOn < today - eventDays) throw cursorExpired()
    return place
  }

  async function withObjects(whole: Page): Promise<Page> {
    const objects = whole.events.map((event) => ({ event, account: event.account_id, object: event.object }))
    const found = await limitBytes(objects, (each) => findObject(db, each.account, each.object, signLink))
    const events = found.map(({ of: { event }, body }) => ({
      ...event,
      ...(body !== undefined && { state: JSON.parse(body) as unknown }),
    }))
    const last = events.at(-1)
    return !last || events.length === whole.events.length
      ? { ...whole, events }
      : { events, place: last.place, hasMore: true }
  }
}

const beginning: Place = { range: 0, ...afterRevision(0) }

function afterRange(range: number): Place {
  return { range, ...afterRevision(Number.MAX_SAFE_INTEGER) }
}

async function readPage(
  db: Database,
  epoch: string,
  start: Place,
  { scope, ...filter }: EventFilter & { scope: AccountScope },
): Promise<Page> {
  const ranges = await listRangesFrom(db, start.range, mostRanges)
  const page: Page = { events: [], place: start, hasMore: ranges.length === mostRanges }
  let left = mostChanges
  for (const [index, range] of ranges.entries()) {
    const { position, account_id, slug, revision: upTo } = range
    if (includesAccount(scope, account_id)) {
      const origin = { account: account_id, epoch }
      const limit = filter.limit - page.events.length
      const found = await readEvents(db, origin, within(range, start), { ...filter, limit, upTo, most: left })
      page.place = { range: position, ...found.position }
      for (const { position: change, ...event } of found.events)
        page.events.push({ account: slug, ...event, account_id, place: { range: position, ...change } })
      left -= found.read
      if (found.hasMore || page.events.length === filter.limit || left <= 0)
        return { ...page, hasMore: found.hasMore || page.hasMore || index + 1 < ranges.length }
    }
    page.place = { range: position, ...afterRevision(upTo) }
  }
  return page
}

/** Where to begin in a range: at its begin, or where the last page ended. */
function within({ position, after_revision }: EventRange, start: Place): ChangePosition {
  const { range, ...change } = start
  return position === range ? change : afterRevision(after_revision)
}
