import type { Reader } from './database.js'
import type { Version } from './history.js'
import { type EntryKind, entryChangeId, entryPrefix } from './tracking-entries.js'
import type { AccountId } from './transaction.js'

type TrackingChange = Version & { kind: 'tracking' | EntryKind }

/** All that was ever said about where a shipment is, in the order in which it was said. */
export async function listTrackingChanges(
  db: Reader,
  account: AccountId,
  shipment: string,
  { skip, take }: { skip: number; take: number },
): Promise<TrackingChange[]> {
  const prefix = entryPrefix(shipment)
  return db<TrackingChange[]>`
    select kind, id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from changes
    where account_id = ${account} and what <> 'derived' and (
      (kind = 'tracking' and id = ${shipment})
      or (kind in ('tracking_event', 'tracking_position') and id >= ${prefix} and starts_with(id, ${prefix})))
    order by revision, kind, id offset ${skip} limit ${take}`
}

/** Whether there is, or ever was, such an entry. */
export async function hadEntry(
  db: Reader,
  account: AccountId,
  kind: EntryKind,
  svc_shipment_id: string,
  entry_id: string,
): Promise<boolean> {
  const id = entryChangeId({ svc_shipment_id, entry_id })
  const found = await db`
    select from changes where account_id = ${account} and kind = ${kind} and id = ${id} limit 1`
  return found.length > 0
}
