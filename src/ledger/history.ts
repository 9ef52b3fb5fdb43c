import type { AccountId } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'
import { lookup } from '../database/lookup.js'
import { type AccountKey, accountsOf, idsOf, keysOf } from '../store/account-key.js'
import type { DocumentFilter } from '../store/documents.js'
import { newestFirst } from '../store/list-order.js'
import type { ChangeKind } from './records.js'

/** Past states, read from the change log. */

type ChangeWhat = 'created' | 'updated' | 'corrected' | 'removed'

export type Version = {
  id: string
  revision: number
  /** RFC 3339, in UTC, to the microsecond. */
  recorded_at: string
  recorded_by: string
  what: ChangeWhat
  reason: string | null
  /** Null when it was removed. */
  record: string | null
}

export type PresentVersion = Version & { record: string }

/** Kinds that have a list operation. */
type ListedKind = Extract<ChangeKind, 'shipment' | 'purchase_order' | 'location' | 'invoice' | 'document'>

/** The newest version of each, now or at a revision. Records that were removed or did not exist yet are left out. */
export async function findVersions(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  ids: string[],
  revision?: number,
): Promise<Map<string, PresentVersion>> {
  const rows = await db<PresentVersion[]>`
    select newest.*
    from unnest(${ids}::text[]) as wanted (id)
    cross join lateral (${newestVersion(db, account, kind, revision)}) newest
    where newest.record is not null`
  return new Map(rows.map((row) => [row.id, row]))
}

/** The newest version of the record that has the identifier `wanted.id`. */
function newestVersion(db: Reader, account: AccountId, kind: ChangeKind, revision: number | undefined): Fragment {
  return db`
    select id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from changes
    where account_id = ${account} and kind = ${kind} and id = wanted.id and what <> 'derived'
      and (${revision ?? null}::bigint is null or revision <= ${revision ?? null})
    order by revision desc limit 1`
}

// Bytes of records in a response with several. A single larger one is still returned.
const mostBytes = 4 * 1024 * 1024

/** The same for a page of a list, in its order: the first ones, as many as fit the limit. */
export async function listVersionsOf(
  db: Reader,
  account: AccountId,
  kind: ListedKind,
  ids: string[],
  revision?: number,
): Promise<PresentVersion[]> {
  return db<PresentVersion[]>`
    select id, revision, recorded_at, recorded_by, what, reason, record from (
      select newest.*, place, sum(octet_length(record)) over (order by place) as bytes,
        row_number() over (order by place) as number
      from unnest(${ids}::text[]) with ordinality as wanted (id, place)
      cross join lateral (${newestVersion(db, account, kind, revision)}) newest
      where newest.record is not null
    ) measured
    where bytes <= ${mostBytes} or number = 1
    order by place`
}

// The sort date is cut out of the record's text, as parsing thousands of records takes seconds. No other field of these
// records has this name (checked by `as-of-cost.test.ts`), and dates contain no escapes.
const dateKeys: Partial<Record<ChangeKind, string>> = {
  shipment: '"created_at":"',
  invoice: '"sent_date":"',
  document: '"uploaded_at":"',
}

/**
 * The identifiers of a page of a kind as it was at a revision, in list order. Records unchanged since then have the sort key of their
 * current row. Changed ones are sorted by the date of their version at that revision; undated ones by when they were
 * first stored. PostgreSQL does not accept every UTC offset of RFC 3339, so the offset is subtracted separately.
 * Only documents are filtered.
 */
export async function listIdsAt(
  db: Reader,
  account: AccountId,
  kind: ListedKind,
  revision: number,
  { skip, take }: { skip: number; take: number },
  filter: DocumentFilter = {},
): Promise<string[]> {
  const dateKey = dateKeys[kind] ?? null
  const shipment = filter.svc_shipment_id ?? null
  const type = filter.type ?? null
  const end = skip + take
  const rows = await db<{ id: string }[]>`
    with changed as materialized (
      select distinct id from changes
      where account_id = ${account} and kind = ${kind} and revision > ${revision} and what <> 'derived'
    ), unchanged as (
      (select svc_shipment_id as id, newest_first as place from shipments
        where ${kind}::text = 'shipment' and account_id = ${account} and svc_shipment_id not in (select id from changed)
        order by newest_first, svc_shipment_id limit ${end})
      union all
      (select reference, newest_first from purchase_orders
        where ${kind}::text = 'purchase_order' and account_id = ${account} and reference not in (select id from changed)
        order by newest_first, reference limit ${end})
      union all
      (select location_id::text collate "C", location_id from locations
        where ${kind}::text = 'location' and account_id = ${account}
          and location_id::text collate "C" not in (select id from changed)
        order by locations.location_id limit ${end})
      union all
      (select reference, newest_first from invoices
        where ${kind}::text = 'invoice' and account_id = ${account} and reference not in (select id from changed)
        order by newest_first, reference limit ${end})
      union all
      (select id::text collate "C", newest_first from documents
        where ${kind}::text = 'document' and account_id = ${account}
          and (${shipment}::text is null or svc_shipment_id = ${shipment}) and (${type}::text is null or type = ${type})
          and id::text collate "C" not in (select id from changed)
        order by newest_first, documents.id limit ${end})
    ), earlier as materialized (
      select changed.id, nullif(split_part(split_part(newest.record, ${dateKey}, 2), '"', 1), '') as date
      from changed
      cross join lateral (
        select record from changes
        where account_id = ${account} and kind = ${kind} and id = changed.id and what <> 'derived'
          and revision <= ${revision}
        order by revision desc limit 1
      ) newest
      where newest.record is not null
        and (${shipment}::text is null or newest.record::jsonb ->> 'svc_shipment_id' = ${shipment})
        and (${type}::text is null or newest.record::jsonb ->> 'type' = ${type})
    ), placed as (
      select id, coalesce(
        case when ${kind}::text = 'location' then id::bigint end,
        newest_first(case
          when length(date) = 10 then (date || 'T00:00Z')::timestamptz
          when right(date, 1) <> 'Z' and right(date, 5) collate "C" >= '15:00'
            then (left(date, -6)::timestamp - right(date, 6)::interval) at time zone 'utc'
          else date::timestamptz end),
        case when (
          select strpos(latest.record, ${dateKey}) > 0 from changes latest
          where latest.account_id = ${account} and latest.kind = ${kind} and latest.id = earlier.id
            and latest.what <> 'derived'
          order by latest.revision desc limit 1) is not true
        then coalesce(
          (select newest_first from shipments
            where ${kind}::text = 'shipment' and account_id = ${account} and svc_shipment_id = earlier.id),
          (select newest_first from purchase_orders
            where ${kind}::text = 'purchase_order' and account_id = ${account} and reference = earlier.id),
          (select newest_first from invoices
            where ${kind}::text = 'invoice' and account_id = ${account} and reference = earlier.id),
          (select newest_first from documents
            where account_id = ${account} and id = case when ${kind}::text = 'document' then earlier.id::uuid end)) end,
        (select newest_first(first.at) from changes first
          where first.account_id = ${account} and first.kind = ${kind} and first.id = earlier.id
          order by first.revision limit 1)
      ) as place
      from earlier
    )
    select id from (select id, place from unchanged union all select id, place from placed) listed
    order by place, id offset ${skip} limit ${take}`
  return rows.map(({ id }) => id)
}

/** A page of the versions of one record, newest first, as many as fit the limit; and the one before them. */
export async function listVersions(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  id: string,
  { before, take }: { before?: number | undefined; take: number },
): Promise<{ page: Version[]; earlier: Version | undefined }> {
  const rows = await db<(Version & { bytes: number })[]>`
    select id, revision, recorded_at, recorded_by, what, reason, record, bytes from (
      select id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
        author as recorded_by, what, reason, record, row_number() over (order by revision desc) as number,
        sum(coalesce(octet_length(record), 0)) over (order by revision desc) as bytes
      from (
        select * from changes
        where account_id = ${account} and kind = ${kind} and id = ${id} and what <> 'derived'
          and (${before ?? null}::bigint is null or revision < ${before ?? null})
        order by revision desc limit ${take + 1}
      ) page
    ) measured
    where bytes - coalesce(octet_length(record), 0) <= ${mostBytes} or number = 2
    order by measured.revision desc`
  const page = rows.filter(({ bytes }, index) => index === 0 || bytes <= mostBytes).slice(0, take)
  return { page, earlier: rows[page.length] }
}

/** The account's revision at a time: that of the last write before it; 0 before the first. */
export async function findRevisionAt(db: Reader, account: AccountId, asOf: string): Promise<number> {
  const [newest] = await db<{ revision: number }[]>`select revision from accounts where account_id = ${account}`
  // Times increase with revisions: binary search.
  let low = 0
  let high = newest?.revision ?? 0
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await isUpTo(db, account, middle, asOf)) low = middle
    else high = middle - 1
  }
  return low
}

async function isUpTo(db: Reader, account: AccountId, revision: number, asOf: string): Promise<boolean> {
  const [row] = await db<{ is_up_to: boolean }[]>`
    select newest_first(at) >= ${newestFirst(asOf)}::bigint as is_up_to from changes
    where account_id = ${account} and revision >= ${revision} order by revision limit 1`
  return row?.is_up_to ?? false
}

/** When each record was first stored (ms). */
export async function findFirstTimes(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await lookUpFirstTimes(
    db,
    ids.map((id) => ({ account, kind, id })),
  )
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]))
}

const lookUpFirstTimes = lookup<AccountKey & { kind: ChangeKind }, { id: string; at: Date }>(
  (db, keys) => db`
    select place, wanted.id, first.at
    from unnest(${accountsOf(keys)}::integer[], ${keys.map(({ kind }) => kind)}::text[], ${idsOf(keys)}::text[])
      with ordinality as wanted (account_id, kind, id, place)
    cross join lateral (
      select at from changes where account_id = wanted.account_id and kind = wanted.kind and id = wanted.id
      order by revision limit 1
    ) first`,
)

/** When an event of each shipment was last stored (ms), whenever its source issued it. */
export async function findLastEventTimes(
  db: Reader,
  account: AccountId,
  shipments: string[],
): Promise<Map<string, number>> {
  const rows = await lookUpLastEventTimes(db, keysOf(account, shipments))
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]))
}

const lookUpLastEventTimes = lookup<AccountKey, { id: string; at: Date }>(
  (db, keys) => db`
    select place, wanted.id, stored.at
    from unnest(${accountsOf(keys)}::integer[], ${idsOf(keys)}::text[]) with ordinality as wanted (account_id, id, place)
    cross join lateral (
      select max(revision) as revision from tracking_entries
      where account_id = wanted.account_id and svc_shipment_id = wanted.id and kind = 'tracking_event'
    ) newest
    cross join lateral (
      select at from changes where account_id = wanted.account_id and revision = newest.revision limit 1
    ) stored`,
)

/** Those of the shipments that were finished when they were first seen: when they were stored, or their account was first watched. */
export async function findFinishedAtFirst(db: Reader, account: AccountId, shipments: string[]): Promise<Set<string>> {
  if (shipments.length === 0) return new Set()
  const rows = await db<{ id: string }[]>`
    with watched as (
      select coalesce(max(watched_since), '-infinity') as since from exception_state where account_id = ${account}
    )
    select wanted.id
    from watched cross join unnest(${shipments}::text[]) as wanted (id)
    cross join lateral (
      select record from changes
      where account_id = ${account} and kind = 'shipment' and id = wanted.id and record is not null
      order by at <= since desc, case when at <= since then -revision else revision end limit 1
    ) first
    where record::jsonb ->> 'status' = 'finished'`
  return new Set(rows.map(({ id }) => id))
}
