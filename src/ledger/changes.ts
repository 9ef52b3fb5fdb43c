import type { AccountId } from '../database/account-id.js'
import type { Reader } from '../database/database.js'
import type { ChangeKind } from './records.js'

/** A changed record: a resource, or a part of one that has no URL. */
export type NamedChange = { revision: number; kind: ChangeKind; id: string; what: string }

export type Revisions = { after: number; upTo: number }

/** Records changed by the revisions in a range, in order; limited for each revision. */
export async function listChanges(
  db: Reader,
  account: AccountId,
  { after, upTo }: Revisions,
  mostOfEach: number,
): Promise<NamedChange[]> {
  return db<NamedChange[]>`
    select wanted.revision, kind, id, what
    from generate_series(${after}::bigint + 1, ${upTo}::bigint) as wanted (revision)
    cross join lateral (
      select kind, id, what from changes
      where account_id = ${account} and changes.revision = wanted.revision limit ${mostOfEach}
    ) change
    order by wanted.revision, kind, id`
}

/** A place in the change log of an account: after this change. */
export type ChangePosition = { revision: number; kind: string; id: string }

/** After all changes of a revision: no kind sorts after it. */
export function afterRevision(revision: number): ChangePosition {
  return { revision, kind: '~', id: '' }
}

export type OrderedChange = NamedChange & {
  /** RFC 3339, in UTC, to the microsecond. */
  at: string
}

/** The next changes of an account, in the order of revisions. */
export async function listChangesAfter(
  db: Reader,
  account: AccountId,
  { revision, kind, id }: ChangePosition,
  { most, upTo }: { most: number; upTo?: number | undefined },
): Promise<OrderedChange[]> {
  return db<OrderedChange[]>`
    select revision, kind, id, what, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from changes
    where account_id = ${account} and (revision, kind, id) > (${revision}::bigint, ${kind}::text, ${id}::text)
      and revision <= ${upTo ?? Number.MAX_SAFE_INTEGER}::bigint
    order by revision, kind, id limit ${most}`
}

/** The changes of an account before a place, the newest first, down to a revision without it. */
export async function listChangesBefore(
  db: Reader,
  account: AccountId,
  { revision, kind, id }: ChangePosition,
  { most, downTo }: { most: number; downTo: number },
): Promise<OrderedChange[]> {
  return db<OrderedChange[]>`
    select revision, kind, id, what, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from changes
    where account_id = ${account} and (revision, kind, id) < (${revision}::bigint, ${kind}::text, ${id}::text)
      and revision > ${downTo}::bigint
    order by revision desc, kind desc, id desc limit ${most}`
}

/** The record that a change stored and the one before it, as text; null if there is none. */
export type RecordVersions = { now: string | null; before: string | null }

// Records that are read at a time; one change has its two, however large.
const mostBytes = 4 * 1024 * 1024
const mostAtATime = 50

/** One after another, in the order of the changes. */
export async function* readRecordVersions(
  db: Reader,
  account: AccountId,
  changes: NamedChange[],
): AsyncGenerator<RecordVersions> {
  for (let read = 0; read < changes.length; ) {
    const found = await findRecordVersions(db, account, changes.slice(read, read + mostAtATime))
    if (found.length === 0) return
    yield* found
    read += found.length
  }
}

/** Of the first changes, whose records fit the limit. */
async function findRecordVersions(db: Reader, account: AccountId, changes: NamedChange[]): Promise<RecordVersions[]> {
  const kinds = changes.map(({ kind }) => kind)
  const ids = changes.map(({ id }) => id)
  const revisions = changes.map(({ revision }) => revision)
  return db<RecordVersions[]>`
    select now, before from (
      select place, stored.record as now, earlier.record as before,
        sum(coalesce(octet_length(stored.record), 0) + coalesce(octet_length(earlier.record), 0))
          over (order by place) as bytes
      from unnest(${kinds}::text[], ${ids}::text[], ${revisions}::bigint[])
        with ordinality as wanted (kind, id, revision, place)
      cross join lateral (
        select record from changes
        where account_id = ${account} and kind = wanted.kind and id = wanted.id and revision = wanted.revision
      ) stored
      left join lateral (
        select record from changes
        where account_id = ${account} and kind = wanted.kind and id = wanted.id and revision < wanted.revision
          and what <> 'derived'
        order by revision desc limit 1
      ) earlier on true
    ) measured
    where bytes <= ${mostBytes} or place = 1
    order by place`
}

/** Which of these kinds of records each revision changed. One probe of the index for each: a revision of an import has many changes. */
export async function findChangedKinds(
  db: Reader,
  account: AccountId,
  revisions: number[],
  kinds: string[],
): Promise<Map<number, Set<string>>> {
  if (revisions.length === 0) return new Map()
  const rows = await db<{ revision: number; kinds: string[] }[]>`
    select wanted.revision, array_agg(source.kind) as kinds
    from unnest(${revisions}::bigint[]) as wanted (revision)
    cross join unnest(${kinds}::text[]) as source (kind)
    where exists (
      select from changes
      where account_id = ${account} and changes.revision = wanted.revision and changes.kind = source.kind
        and what <> 'derived')
    group by wanted.revision`
  return new Map(rows.map((row) => [row.revision, new Set(row.kinds)]))
}
