import type { Journey } from '../../contract/portal/journey.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import type { InParts } from '../../domain/records/in-parts.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { mainDatesInParts, mainTrackingDates } from '../../domain/tracking/tracking-dates.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findVersions } from '../../ledger/history.js'
import { listTrackingStatements, type TrackingChange } from '../../ledger/tracking-history.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { entryChangeId, findTrackingEntriesAt } from '../../store/tracking-entries.js'

type Moves = Journey['arrival_history']

// Older changes are not shown.
const mostStatements = 200

/** How the arrival date changed, the oldest first: the changes of the tracking are replayed in order. */
export async function findArrivalHistory(db: Reader, account: AccountId, shipment: ShipmentRecord): Promise<Moves> {
  const { svc_shipment_id: id } = shipment
  const newest = await listTrackingStatements(db, account, id, mostStatements)
  const oldest = newest.at(-1)
  if (!oldest) return []
  const state = await stateAt(db, account, id, oldest.revision)
  return finishInSlices(replay(state, shipment, newest.toReversed()))
}

function* replay(
  state: Awaited<ReturnType<typeof stateAt>>,
  shipment: ShipmentRecord,
  [oldest, ...others]: TrackingChange[],
): InParts<Moves> {
  const moves: Moves = []
  if (!oldest) return moves
  if (state.isFirst) addInitialDate(moves, state.record, oldest.recorded_at, shipment)
  yield* addArrival(moves, state, oldest.recorded_at, shipment)
  const later = others.filter(({ revision }) => revision > oldest.revision)
  for (const [index, statement] of later.entries()) {
    apply(state, statement)
    // The changes of one revision are one move.
    if (later[index + 1]?.revision !== statement.revision)
      yield* addArrival(moves, state, statement.recorded_at, shipment)
  }
  return moves
}

/** The tracking at a revision: its record, and the events that were added one by one. */
type ReplayedTracking = { record: TrackingRecord | undefined; events: Map<string, TrackingEventRecord> }

async function stateAt(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision: number,
): Promise<ReplayedTracking & { isFirst: boolean }> {
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

function apply(state: ReplayedTracking, { kind, id, record }: TrackingChange): void {
  if (kind === 'tracking') state.record = record === null ? undefined : (JSON.parse(record) as TrackingRecord)
  else if (record === null) state.events.delete(id)
  else state.events.set(id, JSON.parse(record) as TrackingEventRecord)
}

function* addArrival(
  moves: Moves,
  { record, events }: ReplayedTracking,
  recorded_at: string,
  shipment: ShipmentRecord,
): InParts<void> {
  if (!record) return
  const whole = yield* wholeTrackingInParts(record, { events: [...events.values()], positions: [] }, shipment)
  const { arrival_date } = yield* mainDatesInParts(whole, numbersOf(shipment))
  const last = moves.at(-1)
  if (!arrival_date || (last?.date === arrival_date.date && last.status === arrival_date.status)) return
  moves.push({ recorded_at, ...arrival_date })
}

/** An imported tracking may have an initial arrival date that was changed before the import. */
function addInitialDate(
  moves: Moves,
  record: TrackingRecord | undefined,
  recorded_at: string,
  shipment: ShipmentRecord,
): void {
  const date = record?.initial_dates?.eta
  const shown = record && mainTrackingDates(record, numbersOf(shipment)).arrival_date
  if (date === undefined || !shown || Date.parse(date) === Date.parse(shown.date)) return
  moves.push({ recorded_at, date, status: 'planned' })
}
