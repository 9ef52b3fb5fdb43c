import { invalid } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { groupedBy } from '../../domain/records/grouping.js'
import { type ChangeSubscription, type ChangeWatch, type RevisionMark, watchChanges } from '../../feed/change-watch.js'
import type { NamedChange } from '../../ledger/changes.js'
import type { PortalHandler, StreamedEvent } from '../portal-context.js'

// A client that is further behind reloads everything; of a large import it gets only the first changes of a revision.
const mostBehind = 1000
const mostNamed = 200
const revisionsPerQuery = 20

/** A stream of server-sent events: every revision of the account after the start, in order and once. */
export const streamChanges: PortalHandler<'streamChanges'> = async (
  { db, account, caller, token },
  { query: { after }, lastEventId, signal },
) => {
  const present = { revision: caller.revision, epoch: caller.secrets.epoch }
  const start = lastEventId === undefined ? after : revisionOf(lastEventId)
  return changesFrom(db, { account, token, signal }, present, start)
}

function revisionOf(lastEventId: string): number {
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw invalid([{ pointer: '/Last-Event-ID', detail: 'must be the `id` of an event: a whole number' }])
}

/** Without a start, the stream begins with the present revision. */
async function* changesFrom(
  db: Database,
  watched: ChangeSubscription,
  present: RevisionMark,
  start: number | undefined,
): AsyncGenerator<StreamedEvent> {
  const watch = watchChanges(db, watched)
  try {
    if (start === undefined) yield { id: String(present.revision), data: { revision: present.revision, changes: [] } }
    let sent = { ...present, revision: start ?? present.revision }
    for (;;) {
      const update = await watch.next(sent)
      if (update === 'ended') return
      if (update === 'timeout') yield 'keep-alive'
      else sent = yield* send(watch, sent, update)
    }
  } finally {
    watch.end()
  }
}

/** Yields the next changes, and returns the revision that was reached. */
async function* send(
  watch: ChangeWatch,
  sent: RevisionMark,
  newest: RevisionMark,
): AsyncGenerator<StreamedEvent, RevisionMark> {
  const behind = newest.revision - sent.revision
  // A revision that went back, or another epoch: a backup was restored.
  if (behind < 0 || behind > mostBehind || newest.epoch !== sent.epoch) {
    yield { id: String(newest.revision), data: { revision: newest.revision, everything: true } }
    return newest
  }
  const upTo = Math.min(sent.revision + revisionsPerQuery, newest.revision)
  const changes = await watch.changes({ after: sent.revision, upTo }, mostNamed + 1)
  for (const [revision, ofRevision] of groupedBy(changes, (change) => change.revision)) {
    yield eventOf(revision, ofRevision)
  }
  return { ...newest, revision: upTo }
}

function eventOf(revision: number, changes: NamedChange[]): StreamedEvent {
  const named = changes.slice(0, mostNamed)
  const resources = named
    .filter(({ kind }) => kind !== 'key' && kind !== 'person')
    .map(({ kind, id, what }) => ({ kind, id, what }))
  // Only that people changed, not who: the list of people has its own access rule.
  const people = named.some(({ kind }) => kind === 'person') ? [{ kind: 'person' }] : []
  const more = changes.length > mostNamed
  return { id: String(revision), data: { revision, changes: [...resources, ...people], ...(more && { more }) } }
}
