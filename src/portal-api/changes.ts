import { invalid } from '../contract/refusals.js'
import { groupedBy } from '../domain/grouping.js'
import { type Standing, type Watch, type Watched, watchChanges } from '../storage/change-watch.js'
import type { NamedChange } from '../storage/changes.js'
import type { Database } from '../storage/database.js'
import type { PortalHandlers, StreamedEvent } from './handlers.js'

// Whoever is further behind reads everything anew; of an import nobody reads all that it has changed.
const mostBehind = 1000
const mostNamed = 200
const revisionsAtOnce = 20

export const changeHandlers: PortalHandlers<'streamChanges'> = {
  async streamChanges({ db, account, caller, token }, { query: { after }, lastEventId, signal }) {
    const present = { revision: caller.revision, epoch: caller.secrets.epoch }
    const start = lastEventId === undefined ? after : revisionOf(lastEventId)
    return changesFrom(db, { account, token, signal }, present, start)
  },
}

function revisionOf(lastEventId: string): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw invalid([{ pointer: '/Last-Event-ID', detail: 'must be the `id` of an event: a whole number' }])
}

/** Every revision behind the start, in its order and once; without a start, those that are still to come. */
async function* changesFrom(
  db: Database,
  watched: Watched,
  present: Standing,
  start: number | undefined,
): AsyncGenerator<StreamedEvent> {
  const watch = watchChanges(db, watched)
  try {
    if (start === undefined) yield { id: String(present.revision), data: { revision: present.revision, changes: [] } }
    let told = { ...present, revision: start ?? present.revision }
    for (;;) {
      const news = await watch.next(told)
      if (news === 'over') return
      if (news === 'nothing new') yield news
      else told = yield* tell(watch, told, news)
    }
  } finally {
    watch.end()
  }
}

/** Tells the next of what is new, and answers how far it has come. */
async function* tell(watch: Watch, told: Standing, news: Standing): AsyncGenerator<StreamedEvent, Standing> {
  const behind = news.revision - told.revision
  // Revisions that go back, or are those of another database: somebody has restored a backup.
  if (behind < 0 || behind > mostBehind || news.epoch !== told.epoch) {
    yield { id: String(news.revision), data: { revision: news.revision, everything: true } }
    return news
  }
  const upTo = Math.min(told.revision + revisionsAtOnce, news.revision)
  const changes = await watch.changes({ after: told.revision, upTo }, mostNamed + 1)
  for (const [revision, ofRevision] of groupedBy(changes, (change) => change.revision)) {
    yield eventOf(revision, ofRevision)
  }
  return { ...news, revision: upTo }
}

function eventOf(revision: number, changes: NamedChange[]): StreamedEvent {
  const named = changes.slice(0, mostNamed)
  const resources = named
    .filter(({ kind }) => kind !== 'key' && kind !== 'person')
    .map(({ kind, id, what }) => ({ kind, id, what }))
  // Who belongs to the account is for its list of people to tell.
  const people = named.some(({ kind }) => kind === 'person') ? [{ kind: 'person' }] : []
  const more = changes.length > mostNamed
  return { id: String(revision), data: { revision, changes: [...resources, ...people], ...(more && { more }) } }
}
