import type { Reader } from './database.js'
import { newestFirst } from './list-order.js'
import type { AccountId, ChangeKind } from './transaction.js'

/** What was when: read from the change log, which forgets nothing. */

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

/** The newest version of each, at present or at a revision; what was removed by then, or did not exist yet, is left out. */
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
    cross join lateral (
      select id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
        author as recorded_by, what, reason, record
      from changes
      where account_id = ${account} and kind = ${kind} and id = wanted.id and what <> 'derived'
        and (${revision ?? null}::bigint is null or revision <= ${revision ?? null})
      order by revision desc limit 1
    ) newest
    where newest.record is not null`
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * All of a kind as they were at a revision that have what the filter names, in the order of their list: by the date
 * that they carried then, or by when they were first stored, which the tables of the nouns know of what is undated to
 * this day. PostgreSQL does not take every offset that RFC 3339 allows, so it is subtracted apart.
 */
export async function listVersionsAt(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  revision: number,
  { skip, take }: { skip: number; take: number },
  filter: Record<string, string | undefined> = {},
): Promise<PresentVersion[]> {
  return db<PresentVersion[]>`
    with newest as (
      select distinct on (id) * from changes
      where account_id = ${account} and kind = ${kind} and what <> 'derived' and revision <= ${revision}
      order by id, revision desc
    ), kept as (
      select newest.*, case kind
        when 'shipment' then 'created_at' when 'invoice' then 'sent_date' when 'document' then 'uploaded_at' end as field
      from newest where record is not null and record::jsonb @> ${JSON.stringify(filter)}::text::jsonb
    ), dated as (
      select kept.*, kept.record::jsonb ->> field as date, (
        select latest.record::jsonb ->> field from changes latest
        where latest.account_id = ${account} and latest.kind = kept.kind and latest.id = kept.id
          and latest.what <> 'derived'
        order by latest.revision desc limit 1) as date_now
      from kept
    ), placed as (
      select dated.*, coalesce(
        case when kind = 'location' then id::bigint end,
        newest_first((regexp_replace(date, '(Z|[+-][0-9]{2}:[0-9]{2})$', '')::timestamp
          - coalesce(substring(date from 'T.*([+-][0-9]{2}:[0-9]{2})$')::interval, interval '0')) at time zone 'utc'),
        case when date_now is null then coalesce(
          (select newest_first from shipments
            where kind = 'shipment' and account_id = ${account} and svc_shipment_id = dated.id),
          (select newest_first from purchase_orders
            where kind = 'purchase_order' and account_id = ${account} and reference = dated.id),
          (select newest_first from invoices
            where kind = 'invoice' and account_id = ${account} and reference = dated.id),
          (select newest_first from documents
            where account_id = ${account} and id = case when kind = 'document' then dated.id::uuid end)) end,
        (select newest_first(first.at) from changes first
          where first.account_id = ${account} and first.kind = dated.kind and first.id = dated.id
          order by first.revision limit 1)
      ) as place
      from dated
    )
    select id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from placed
    order by place, id offset ${skip} limit ${take}`
}

/** The versions of one thing, newest first. */
export async function listVersions(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  id: string,
  { before, take }: { before?: number | undefined; take: number },
): Promise<Version[]> {
  return db<Version[]>`
    select id, revision, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
      author as recorded_by, what, reason, record
    from changes
    where account_id = ${account} and kind = ${kind} and id = ${id} and what <> 'derived'
      and (${before ?? null}::bigint is null or revision < ${before ?? null})
    order by revision desc limit ${take}`
}

/** The account's revision at a time: that of the last write up to then; 0 before the first. */
export async function findRevisionAt(db: Reader, account: AccountId, asOf: string): Promise<number> {
  const [newest] = await db<{ revision: number }[]>`select revision from accounts where account_id = ${account}`
  // Times follow revisions, so that the revision is found in as many steps as its number has bits.
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
