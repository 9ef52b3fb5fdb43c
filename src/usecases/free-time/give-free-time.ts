import type { FreeTimeFact } from '../../contract/public/free-time.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { type Fault, invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { factFaults } from '../../domain/free-time/term-faults.js'
import { numbersOf } from '../../domain/shipments/shipment-cargo.js'
import { trackedContainers } from '../../domain/tracking/tracking-containers.js'
import { finishInSlices } from '../../jobs/in-slices.js'
import { Transaction } from '../../ledger/transaction.js'
import { wholeTrackingInParts } from '../../ledger/whole-tracking.js'
import type { OperatorHandler } from '../operator-context.js'
import { getKnownTracking, type KnownTracking, putTracking } from '../tracking/tracking-record.js'
import { findFreeTime } from './shipment-free-time.js'

/** Last free days that were given for a shipment, and days granted in addition: kept with its tracking, and its history. */

const most = 500

export const giveFreeTime: OperatorHandler<'giveFreeTime'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, fact_id }, body },
) => {
  const known = await getKnownTracking(tx.sql, account, shipment)
  const others = (known.record.free_time ?? []).filter(({ id }) => id !== fact_id)
  const faults = [...factFaults(body), ...(await containerFaults(body.container_number, known))]
  if (others.length >= most) faults.push({ pointer: '/fact_id', detail: `the shipment has ${most} of them already` })
  if (faults.length > 0) throw invalid(faults)
  const fact = { id: fact_id, ...body, recorded_at: new Date(tx.at).toISOString() }
  return save(tx, account, known, [...others, fact], body.reason)
}

export const retractFreeTime: OperatorHandler<'retractFreeTime'> = async (
  { tx, account },
  { params: { svc_shipment_id: shipment, fact_id }, query: { reason } },
) => {
  const known = await getKnownTracking(tx.sql, account, shipment)
  const facts = known.record.free_time ?? []
  const others = facts.filter(({ id }) => id !== fact_id)
  if (others.length === facts.length) throw new Refusal('free_time_fact_not_found')
  return save(tx, account, known, others, reason)
}

async function containerFaults(
  number: string | undefined,
  { record, entries, shipment }: KnownTracking & { record: TrackingRecord },
): Promise<Fault[]> {
  if (number === undefined) return []
  const whole = await finishInSlices(wholeTrackingInParts(record, entries, shipment))
  const containers = trackedContainers(whole, shipment ? numbersOf(shipment) : [])
  return containers.includes(number)
    ? []
    : [{ pointer: '/container_number', detail: 'is no container of the shipment' }]
}

async function save(
  tx: Transaction,
  account: AccountId,
  known: KnownTracking & { record: TrackingRecord },
  facts: FreeTimeFact[],
  reason: string,
) {
  const { free_time: _before, ...record } = known.record
  await putTracking(tx, known, { ...record, ...(facts.length > 0 && { free_time: facts }) }, { reason })
  await tx.derive()
  const found = await findFreeTime(tx.sql, account, record.svc_shipment_id)
  if (!found) throw new Refusal('tracking_not_found')
  return found
}
