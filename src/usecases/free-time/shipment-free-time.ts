import { businessTime } from '../../clock/clock.js'
import type { ForwarderFreeTime } from '../../contract/operator/free-time.js'
import type { FreeTimeClock, FreeTimeFact } from '../../contract/public/free-time.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { freeTimeInParts } from '../../domain/free-time/free-time.js'
import { mapInParts } from '../../jobs/in-slices.js'
import { readFreeTimeRules } from '../../ledger/free-time-rules.js'
import { findFinishedAtFirst, findRevisionAt } from '../../ledger/history.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import { getAccountRow } from '../../store/accounts.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'
import { isTracked } from '../tracking/tracking-record.js'
import { findStoredTrackings } from '../tracking/tracking-state.js'

/** The free time of the containers of a shipment, for its account. */
export const getOwnFreeTime: CustomerHandler<'getFreeTime'> = async (
  { ask, account },
  { params: { svc_shipment_id: shipment }, query: { as_of } },
) => {
  const found = await ask((db) => findFreeTime(db, account, shipment, as_of))
  if (!found) throw new Refusal('tracking_not_found')
  const { given: _given, ...shown } = found
  return { body: JSON.stringify(shown), revision: 0, id: shipment }
}

/** The same for operators, with what was given beyond the rules. */
export const getFreeTime: OperatorHandler<'getFreeTime'> = async (
  { db, account },
  { params: { svc_shipment_id: shipment }, query: { as_of } },
) => {
  const found = await findFreeTime(db, account, shipment, as_of)
  if (found) return found
  throw new Refusal((await isTracked(db, account, shipment)) ? 'version_not_found' : 'tracking_not_found')
}

/** At present, or as of a time in the past: with what was known and in force then. */
export async function findFreeTime(
  db: Reader,
  account: AccountId,
  shipment: string,
  asOf?: string,
): Promise<ForwarderFreeTime | undefined> {
  const found = (await findFreeTimes(db, account, [shipment], asOf)).get(shipment)
  return found && { svc_shipment_id: shipment, ...found }
}

/** Of several shipments; those without tracking are left out. */
export async function findClocks(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, FreeTimeClock[]>> {
  const found = await findFreeTimes(db, account, shipments)
  return new Map([...found].map(([id, { clocks }]) => [id, clocks]))
}

async function findFreeTimes(
  db: Reader,
  account: AccountId,
  shipments: string[],
  asOf?: string,
): Promise<Map<string, { clocks: FreeTimeClock[]; given: FreeTimeFact[] }>> {
  const revision = asOf === undefined ? undefined : await findRevisionAt(db, account, asOf)
  const [stored, rules, { slug }] = await Promise.all([
    findStoredTrackings(db, account, shipments, revision),
    readFreeTimeRules(db, asOf),
    getAccountRow(db, account),
  ])
  const now = asOf === undefined ? businessTime() : Date.parse(asOf)
  const finished = [...stored].flatMap(([id, { tracked }]) => (tracked.status === 'finished' ? [id] : []))
  const wereFinished = await findFinishedAtFirst(db, account, finished)
  return new Map(
    await mapInParts(stored, function* ([id, { version, entries, tracked }]) {
      const record = JSON.parse(version.record) as TrackingRecord
      const tracking = yield* wholeTrackingInParts(record, entries, tracked)
      const wasFinished = wereFinished.has(id)
      const facts = { account: slug, shipment: tracked, tracking, wasFinished }
      const clocks = yield* freeTimeInParts(facts, rules, now)
      return [id, { clocks, given: record.free_time ?? [] }] as const
    }),
  )
}
