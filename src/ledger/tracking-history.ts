import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import { type EntryKind, entryChangeId, entryPrefix } from '../store/tracking-entries.js'
import type { PresentVersion, Version } from './history.js'

export type TrackingChange = Version & { kind: 'tracking' | EntryKind }

// Limits of one response, and of the history read for it. A single larger record is still returned.
const responseBytes = 4 * 1024 * 1024
const pastBytes = 16 * 1024 * 1024
const pastVersions = 1000

/** All tracking reports of a shipment in the order received; limited, where there are many. */
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
    from measured where bytes_before < ${responseBytes}
    order by revision, kind, id`
}

/** Reports on steps and dates, from tracking records and single events, newest first; limited, where there are many. */
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
    from measured where bytes_before < ${responseBytes}
    order by revision desc, kind, id`
}

/** Versions of the tracking record up to a revision, newest first, within the limit of bytes. */
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

/** The newest version of each event of a shipment, now or at a revision; by the identifier of the change. */
export async function findEventVersions(
  db: Reader,
  account: AccountId,
  shipment: string,
  revision: number | null = null,
): Promise<Map<string, Version>> {
  const prefix = entryPrefix(shipment)
  const rows = await db<Version[]>`
    select distinct on (id) id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from changes
    where account_id = ${account} and kind = 'tracking_event' and id >= ${prefix} and id < left(${prefix}, -1) || '-'
      and what <> 'derived' and (${revision}::bigint is null or revision <= ${revision})
    order by id, changes.revision desc`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether an entry exists or ever existed. */
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
