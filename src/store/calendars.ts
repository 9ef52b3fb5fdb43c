import type { Calendar } from '../contract/portal/calendars.js'
import type { Language } from '../contract/portal/people.js'
import type { AccountId } from '../database/account-id.js'
import type { Reader, TransactionSql } from '../database/database.js'
import { hashOfKey } from './key-hash.js'

/** Calendars that people subscribe to. Only the hash of the secret part of an address is stored. */

type Row = { calendar_id: string; name: string; view_id: string | null; created_at: Date; last_read_at: Date | null }

export async function listCalendarRows(db: Reader, account: AccountId, person_id: string): Promise<Calendar[]> {
  const rows = await db<Row[]>`
    select calendar_id, name, view_id, created_at, last_read_at from calendars
    where account_id = ${account} and person_id = ${person_id} order by created_at, calendar_id`
  return rows.map(calendarOf)
}

type NewCalendar = { calendar_id: string; token: string; name: string; view_id: string | undefined }

/** Undefined if the person has as many as allowed. */
export async function insertCalendar(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  { calendar_id, token, name, view_id }: NewCalendar,
  most: number,
): Promise<Calendar | undefined> {
  // Concurrent requests of a person are counted one after another.
  await sql`select from people where account_id = ${account} and person_id = ${person_id} for update`
  const [row] = await sql<Row[]>`
    insert into calendars (account_id, calendar_id, person_id, hash, name, view_id)
    select ${account}, ${calendar_id}, ${person_id}, ${hashOfKey(token)}, ${name}, ${view_id ?? null}
    where (select count(*) from calendars where account_id = ${account} and person_id = ${person_id}) < ${most}
    returning calendar_id, name, view_id, created_at, last_read_at`
  return row && calendarOf(row)
}

/** False if there is no such calendar. */
export async function deleteCalendar(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  calendar_id: string,
): Promise<boolean> {
  const rows = await sql`
    delete from calendars
    where account_id = ${account} and person_id = ${person_id} and calendar_id = ${calendar_id} returning 1`
  return rows.length > 0
}

function calendarOf({ view_id, created_at, last_read_at, ...calendar }: Row): Calendar {
  return {
    ...calendar,
    created_at: created_at.toISOString(),
    ...(view_id !== null && { view_id }),
    ...(last_read_at && { last_read_at: last_read_at.toISOString() }),
  }
}

/** A calendar whose address works: of an active person of an account that is not suspended. */
export type OpenCalendar = {
  account_id: AccountId
  link_id: string
  name: string
  /** The query string of its saved view. */
  query: string | null
  language: Language
  time_zone: string
}

export async function findOpenCalendar(db: Reader, token: string): Promise<OpenCalendar | undefined> {
  const [row] = await db<OpenCalendar[]>`
    select account_id, calendar_id as link_id, calendars.name, saved_views.query, people.language, people.time_zone
    from calendars
    join people using (account_id, person_id) join accounts using (account_id)
    left join saved_views using (account_id, person_id, view_id)
    where hash = ${hashOfKey(token)} and disabled_at is null and suspended_at is null`
  return row
}

/** An entry as it was last sent. */
export type SentEntry = {
  entry_id: string
  day: string
  content: string
  sequence: number
  changed_at: Date
  is_cancelled: boolean
}

/** Two requests for the same calendar follow each other. */
export async function lockCalendar(sql: TransactionSql, account: AccountId, calendar_id: string): Promise<boolean> {
  const rows = await sql`
    update calendars set last_read_at = now()
    where account_id = ${account} and calendar_id = ${calendar_id} returning 1`
  return rows.length > 0
}

export async function listSentEntries(db: Reader, account: AccountId, calendar_id: string): Promise<SentEntry[]> {
  return db<SentEntry[]>`
    select entry_id, day::text, content, sequence, changed_at, is_cancelled from calendar_entries
    where account_id = ${account} and calendar_id = ${calendar_id}`
}

export async function saveSentEntries(
  sql: TransactionSql,
  account: AccountId,
  calendar_id: string,
  { changed, gone }: { changed: readonly SentEntry[]; gone: readonly string[] },
): Promise<void> {
  if (gone.length > 0) {
    await sql`
      delete from calendar_entries
      where account_id = ${account} and calendar_id = ${calendar_id} and entry_id = any(${[...gone]}::text[])`
  }
  if (changed.length === 0) return
  await sql`
    insert into calendar_entries (account_id, calendar_id, entry_id, day, content, sequence, changed_at, is_cancelled)
    select ${account}, ${calendar_id}, * from unnest(
      ${changed.map(({ entry_id }) => entry_id)}::text[], ${changed.map(({ day }) => day)}::date[],
      ${changed.map(({ content }) => content)}::text[], ${changed.map(({ sequence }) => sequence)}::integer[],
      ${changed.map(({ changed_at }) => changed_at)}::timestamptz[],
      ${changed.map(({ is_cancelled }) => is_cancelled)}::boolean[])
    on conflict (account_id, calendar_id, entry_id) do update
    set day = excluded.day, content = excluded.content, sequence = excluded.sequence, changed_at = excluded.changed_at,
      is_cancelled = excluded.is_cancelled`
}
