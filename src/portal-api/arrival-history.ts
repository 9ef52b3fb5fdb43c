import type { Journey } from '../contract/portal/journey.js'
import type { TrackingEventRecord, TrackingRecord } from '../contract/tracking.js'
import { withEntries } from '../domain/tracking.js'
import { mainTrackingDates } from '../domain/tracking-dates.js'
import type { Reader } from '../storage/database.js'
import { findVersions } from '../storage/history.js'
import { listTrackingStatements, type TrackingChange } from '../storage/tracking-changes.js'
import { entryChangeId, findTrackingEntriesAt } from '../storage/tracking-entries.js'
import type { AccountId } from '../storage/transaction.js'

type Moves = Journey['arrival_history']

// As many of the last things that were said as anybody reads.
const mostStatements = 200

/** How the date of arrival moved, the oldest first: told anew by all that was said, in the order in which it was. */
export async function findArrivalHistory(
  db: Reader,
  account: AccountId,
  shipment: string,
  containers: string[],
): Promise<Moves> {
  const newest = await listTrackingStatements(db, account, shipment, mostStatements)
  const oldest = newest.at(-1)
  if (!oldest) return []
  const known = await knowledgeAt(db, account, shipment, oldest.revision)
  const moves: Moves = []
  if (known.isFirst) noteFirstPlan(moves, known.record, oldest.recorded_at, containers)
  noteArrival(moves, known, oldest.recorded_at, containers)
  const later = newest.toReversed().filter(({ revision }) => revision > oldest.revision)
  for (const [index, statement] of later.entries()) {
    learn(known, statement)
    // What is said at once is one move.
    if (later[index + 1]?.revision !== statement.revision) noteArrival(moves, known, statement.recorded_at, containers)
  }
  return moves
}

/** What was known at a time: the tracking itself, and the events that were said one by one. */
type Knowledge = { record: TrackingRecord | undefined; events: Map<string, TrackingEventRecord> }

async function knowledgeAt(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision: number,
): Promise<Knowledge & { isFirst: boolean }> {
  const version = (await findVersions(db, account, 'tracking', [shipment], revision)).get(shipment)
  const entries = (await findTrackingEntriesAt(db, account, [shipment], revision)).get(shipment)
  const events = (entries?.events ?? []).map((event): [string, TrackingEventRecord] => [
    entryChangeId({ svc_shipment_id: shipment, entry_id: event.event_id }),
    event,
  ])
  return {
    record: version && (JSON.parse(version.record) as TrackingRecord),
    events: new Map(events),
    isFirst: version?.what === 'created' && version.revision === revision,
  }
}

function learn(known: Knowledge, { kind, id, record }: TrackingChange): void {
  if (kind === 'tracking') known.record = record === null ? undefined : (JSON.parse(record) as TrackingRecord)
  else if (record === null) known.events.delete(id)
  else known.events.set(id, JSON.parse(record) as TrackingEventRecord)
}

function noteArrival(moves: Moves, { record, events }: Knowledge, recorded_at: string, containers: string[]): void {
  if (!record) return
  const whole = withEntries(record, { events: [...events.values()], positions: [] })
  const { arrival_date } = mainTrackingDates(whole, containers)
  const last = moves.at(-1)
  if (!arrival_date || (last?.date === arrival_date.date && last.status === arrival_date.status)) return
  moves.push({ recorded_at, ...arrival_date })
}

/** What came with a plan that was made elsewhere, and has been changed there before. */
function noteFirstPlan(
  moves: Moves,
  record: TrackingRecord | undefined,
  recorded_at: string,
  containers: string[],
): void {
  const date = record?.initial_dates?.eta
  const shown = record && mainTrackingDates(record, containers).arrival_date
  if (date === undefined || !shown || Date.parse(date) === Date.parse(shown.date)) return
  moves.push({ recorded_at, date, status: 'planned' })
}
