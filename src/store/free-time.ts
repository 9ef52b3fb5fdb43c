import type {
  FreeTimeTerm,
  FreeTimeTermFields,
  WorkingDays,
  WorkingDaysFields,
} from '../contract/operator/free-time.js'
import { type AccountScope, forwarderAccount } from '../database/account-id.js'
import { businessNowInStatement } from '../database/business-now.js'
import type { Fragment, Reader, TransactionSql } from '../database/database.js'
import { inScope } from './account-scope.js'
import { newestFirst } from './list-order.js'

/** Rules of free time and calendars of working days. They belong to the forwarder, and every version of them is kept. */

/** A page by identifier, or all of them. */
export type VersionPage = { asOf?: string | undefined; after?: string | undefined; most?: number | undefined }

type Row = { id: string; content: string; recorded_at: string; recorded_by: string }

/** In the order of identifiers. At a time in the past: what was in force then. */
export async function listTerms(
  db: Reader,
  scope: AccountScope,
  { asOf, after, most }: VersionPage,
): Promise<FreeTimeTerm[]> {
  const from = asOf === undefined ? null : newestFirst(asOf)
  const rows = await db<Row[]>`
    select id, content, to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, recorded_by
    from (
      select distinct on (term_id) term_id as id, term as content, recorded_at, recorded_by from free_time_terms
      where (${from}::bigint is null or newest_first(recorded_at) >= ${from}::bigint)
        and (${after ?? null}::text is null or term_id > ${after ?? null})
      order by term_id, recorded_at desc
    ) newest
    where content is not null ${termsOf(db, scope)} order by id limit ${most ?? null}`
  return rows.map(termOf)
}

/** Rules that name no account are for all of them. */
function termsOf(db: Reader, scope: AccountScope): Fragment {
  if (scope === 'all') return db``
  return db`and (content::jsonb ->> 'account' is null or content::jsonb ->> 'account' in (
    select slug from accounts where account_id <> ${forwarderAccount} and ${inScope(db, scope)}))`
}

export async function findTerm(db: Reader, id: string): Promise<FreeTimeTerm | undefined> {
  const [row] = await db<(Omit<Row, 'content'> & { content: string | null })[]>`
    select term_id as id, term as content, to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, recorded_by
    from free_time_terms where term_id = ${id} order by recorded_at desc limit 1`
  return row?.content == null ? undefined : termOf(row as Row)
}

function termOf({ id, content, ...recorded }: Row): FreeTimeTerm {
  return { id, ...(JSON.parse(content) as FreeTimeTermFields), ...recorded }
}

export async function listCalendars(db: Reader, { asOf, after, most }: VersionPage): Promise<WorkingDays[]> {
  const from = asOf === undefined ? null : newestFirst(asOf)
  const rows = await db<Row[]>`
    select id, content, to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, recorded_by
    from (
      select distinct on (place) place as id, calendar as content, recorded_at, recorded_by from working_days
      where (${from}::bigint is null or newest_first(recorded_at) >= ${from}::bigint)
        and (${after ?? null}::text is null or place > ${after ?? null})
      order by place, recorded_at desc
    ) newest
    where content is not null order by id limit ${most ?? null}`
  return rows.map(calendarOf)
}

export async function findCalendar(db: Reader, place: string): Promise<WorkingDays | undefined> {
  const [row] = await db<(Omit<Row, 'content'> & { content: string | null })[]>`
    select place as id, calendar as content, to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at, recorded_by
    from working_days where place = ${place} order by recorded_at desc limit 1`
  return row?.content == null ? undefined : calendarOf(row as Row)
}

function calendarOf({ id, content, ...recorded }: Row): WorkingDays {
  return { place: id, ...(JSON.parse(content) as WorkingDaysFields), ...recorded }
}

// An arbitrary number: changes of rules and calendars come one after another, each later than those before.
const lock = 7_219_402_125

/** Serialises changes, so that every version is later than the ones before it. */
export async function lockFreeTime(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock})`
}

/** Without a term, it is removed. */
export async function saveTerm(
  sql: TransactionSql,
  id: string,
  term: FreeTimeTermFields | undefined,
  author: string,
): Promise<void> {
  await sql`
    insert into free_time_terms (term_id, recorded_at, recorded_by, term)
    values (${id}, ${businessNowInStatement(sql)}, ${author}, ${term ? JSON.stringify(term) : null})
    on conflict (term_id, recorded_at) do update set recorded_by = excluded.recorded_by, term = excluded.term`
}

/** Without a calendar, it is removed. */
export async function saveCalendar(
  sql: TransactionSql,
  place: string,
  calendar: WorkingDaysFields | undefined,
  author: string,
): Promise<void> {
  await sql`
    insert into working_days (place, recorded_at, recorded_by, calendar)
    values (${place}, ${businessNowInStatement(sql)}, ${author}, ${calendar ? JSON.stringify(calendar) : null})
    on conflict (place, recorded_at) do update set recorded_by = excluded.recorded_by, calendar = excluded.calendar`
}
