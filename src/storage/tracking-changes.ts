import type { Reader } from './database.js'
import type { PresentVersion, Version } from './history.js'
import { type EntryKind, entryChangeId, entryPrefix } from './tracking-entries.js'
import type { AccountId } from './transaction.js'

export type TrackingChange = Version & { kind: 'tracking' | EntryKind }

// What one answer holds, and what is read of the past for one, at most; but for a single record that is larger.
const answerBytes = 4 * 1024 * 1024
const pastBytes = 16 * 1024 * 1024
const pastVersions = 1000

/** All that was ever said about where a shipment is, in the order in which it was said; fewer, where that is a lot. */
export async function listTrackingChanges(
  db: Reader,
  account: AccountId,
  shipment: string,
  { skip, take }: { skip: number; take: number },
): Promise<TrackingChange[]> {
  const prefix = entryPrefix(shipment)
  return db<TrackingChange[]>`
    with page as (
      select * from changes
      where account_id = ${account} and what <> 'derived' and (
        (kind = 'tracking' and id = ${shipment})
        or (kind in ('tracking_event', 'tracking_position') and id >= ${prefix} and starts_with(id, ${prefix})))
      order by revision, kind, id offset ${skip} limit ${take}
    ), measured as (
      select *, coalesce(sum(octet_length(record)) over (
        order by revision, kind, id rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from page
    )
    select kind, id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from measured where bytes_before < ${answerBytes}
    order by revision, kind, id`
}

/** What was said of steps and dates, by the tracking itself or one by one: the newest first, fewer where that is a lot. */
export async function listTrackingStatements(
  db: Reader,
  account: AccountId,
  shipment: string,
  take: number,
): Promise<TrackingChange[]> {
  const prefix = entryPrefix(shipment)
  return db<TrackingChange[]>`
    with newest as (
      select * from changes
      where account_id = ${account} and what <> 'derived' and (
        (kind = 'tracking' and id = ${shipment})
        or (kind = 'tracking_event' and id >= ${prefix} and id < left(${prefix}, -1) || '-'))
      order by revision desc, kind, id limit ${take}
    ), measured as (
      select *, coalesce(sum(octet_length(record)) over (
        order by revision desc, kind, id rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from newest
    )
    select kind, id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from measured where bytes_before < ${answerBytes}
    order by revision desc, kind, id`
}

/** The versions of the tracking itself up to a revision, newest first, as far back as can be read at once. */
export async function listTrackingVersions(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision: number,
): Promise<PresentVersion[]> {
  return db<PresentVersion[]>`
    with newest as (
      select * from changes
      where account_id = ${account} and kind = 'tracking' and id = ${shipment} and what <> 'derived'
        and record is not null and revision <= ${revision}
      order by revision desc limit ${pastVersions}
    ), measured as (
      select *, coalesce(sum(octet_length(record)) over (
        order by revision desc rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from newest
    )
    select id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from measured where bytes_before < ${pastBytes}
    order by revision desc`
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
