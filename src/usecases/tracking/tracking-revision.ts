import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { findVersions } from '../../ledger/history.js'
import { findTrackingState } from './tracking-state.js'

/** Refuses changes that are based on another revision. The lock of the account keeps others from changing it meanwhile. */

export async function refuseOtherTracking(
  db: Reader,
  account: AccountId,
  shipment: string,
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined) return
  const current = (await findVersions(db, account, 'tracking', [shipment])).get(shipment)?.revision
  if (current !== undefined && current !== expected) {
    throw new Refusal('tracking_changed', `Its revision is ${current}.`)
  }
}

export async function refuseOtherEvent(
  db: Reader,
  account: AccountId,
  event: { svc_shipment_id: string; event_id: string },
  expected: number | undefined,
): Promise<void> {
  if (expected === undefined) return
  // Events that came with the whole tracking have no version of their own: their revision is found as readers find it.
  const state = await findTrackingState(db, account, event.svc_shipment_id)
  const current = state?.steps.flatMap(({ events }) => events).find(({ event_id }) => event_id === event.event_id)
  if (current && current.revision !== expected) {
    throw new Refusal(
      'event_changed',
      current.revision === undefined ? undefined : `Its revision is ${current.revision}.`,
    )
  }
}
