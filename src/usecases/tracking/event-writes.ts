import type { TrackingEventRecord, TrackingRecord } from '../../contract/public/tracking.js'
import type { Put, Transaction } from '../../ledger/transaction.js'
import { expectedDate, withEvents } from './event-rules.js'
import { type KnownTracking, putTracking } from './tracking-record.js'

type EventWrites = {
  put?: Put<'tracking_event'>[]
  remove?: { record: TrackingEventRecord; reason: string | undefined }[]
}

/**
 * Stores and removes events that were added one by one, and the tracking that follows from them: the only way to write them,
 * whether an operator or a message brings them. Returns the tracking with all of them.
 */
export async function writeEvents(
  tx: Transaction,
  known: KnownTracking,
  record: TrackingRecord,
  { put = [], remove = [] }: EventWrites,
): ReturnType<typeof putTracking> {
  if (put.length > 0) tx.put('tracking_event', put)
  for (const each of remove) tx.remove('tracking_event', each.record, each.reason)
  const gone = new Set(remove.map((each) => each.record.event_id))
  const events = new Map(known.entries.events.map((event) => [event.event_id, event]))
  for (const id of gone) events.delete(id)
  for (const each of put) events.set(each.record.event_id, each.record)
  const replaced = [...put.map(({ before }) => before), ...remove.map((each) => each.record)]
  return putTracking(tx, withEvents(known, [...events.values()]), record, { withdrawn: replaced.map(expectedDate) })
}
