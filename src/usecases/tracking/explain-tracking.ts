import { businessTime } from '../../clock/clock.js'
import type { TrackingExplanation } from '../../contract/public/explanation.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { hour } from '../../domain/dates/local-time.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { explainDatesInParts } from '../../domain/tracking/explanation.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { findRevisionAt } from '../../ledger/history.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import type { CustomerHandler } from '../customer-context.js'
import type { OperatorHandler } from '../operator-context.js'
import { isTracked } from './tracking-record.js'
import { findStoredTracking } from './tracking-state.js'

/** Why a shipment shows its dates, for its account. */
export const explainTracking: CustomerHandler<'explainTracking'> = async (
  { ask, account },
  { params: { svc_shipment_id: shipment }, query: { as_of } },
) => {
  const explanation = await ask((db) => findExplanation(db, account, shipment, as_of))
  if (!explanation) throw new Refusal('tracking_not_found')
  return { body: JSON.stringify(explanation), revision: 0, id: shipment }
}

/** The same for operators. */
export const explainTrackingOf: OperatorHandler<'explainTracking'> = async (
  { db, account },
  { params: { svc_shipment_id: shipment }, query: { as_of } },
) => {
  const explanation = await findExplanation(db, account, shipment, as_of)
  if (explanation) return explanation
  throw new Refusal((await isTracked(db, account, shipment)) ? 'version_not_found' : 'tracking_not_found')
}

// What has become stale changes by the hour, as the `ETag` does.
async function findExplanation(
  db: Reader,
  account: AccountId,
  shipment: string,
  asOf: string | undefined,
): Promise<TrackingExplanation | undefined> {
  const revision = asOf === undefined ? undefined : await findRevisionAt(db, account, asOf)
  const stored = await findStoredTracking(db, account, shipment, revision)
  if (!stored) return undefined
  const { version, entries, tracked } = stored
  const record = JSON.parse(version.record) as TrackingRecord
  const whole = await finishInSlices(wholeTrackingInParts(record, entries, tracked))
  const now = asOf === undefined ? Math.floor(businessTime() / hour) * hour : Date.parse(asOf)
  const shown = { containers: numbersOf(tracked), given: tracked.main_tracking_dates ?? {}, now }
  return { svc_shipment_id: shipment, milestones: await finishInSlices(explainDatesInParts(whole, shown)) }
}
