import type { AccountId } from '../database/account-id.js'
import { asJson, type Fragment, type Reader } from '../database/database.js'
import type { RunRead } from '../database/replicas.js'
import { oneBody, type Range, readList } from './rendered.js'
import type { RowWrite } from './write.js'

type LocationRow = { location_id: number; retired: boolean; body: string }

// Only the canonical form: /v1/locations/7 exists, /v1/locations/007 does not.
const locationId = /^(?:0|-?[1-9]\d{0,15})$/

export function isLocationId(text: string): boolean {
  return locationId.test(text)
}

export function saveLocations({ sql, revision }: RowWrite, account: AccountId, rows: LocationRow[]): Fragment {
  return sql`
    insert into locations (account_id, location_id, retired, revision, body)
    select ${account}, location_id, retired, ${revision}, body
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb)
      as saved (location_id bigint, retired boolean, body text)
    on conflict (account_id, location_id) do update
    set retired = excluded.retired, revision = excluded.revision, body = excluded.body`
}

export function findLocation(db: Reader, account: AccountId, id: number) {
  return oneBody(db`select body, revision from locations where account_id = ${account} and location_id = ${id}`)
}

/** One more than the highest identifier of the account. */
export async function nextLocationId(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ next: number }[]>`
    select greatest(coalesce(max(location_id), 0), 0) + 1 as next from locations where account_id = ${account}`
  return row?.next ?? 1
}

/** Includes retired locations. */
export async function listLocationIds(
  db: Reader,
  account: AccountId,
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select location_id::text as id from locations
    where account_id = ${account} order by location_id offset ${skip} limit ${take}`
  return rows.map(({ id }) => id)
}

/** The city of each location that has one, without retired locations. */
export async function listLocationCities(
  db: Reader,
  account: AccountId,
): Promise<{ id: number; city: string; country: string }[]> {
  return db<{ id: number; city: string; country: string }[]>`
    select location_id as id, city, country
    from locations cross join lateral jsonb_to_record(body::jsonb) as shown (city text, country text)
    where account_id = ${account} and not retired and city is not null and country is not null
    order by location_id`
}

/** Which of these locations an account has, and which of them are retired. */
export async function findLocationStates(
  db: Reader,
  account: AccountId,
  ids: number[],
): Promise<Map<number, { retired: boolean }>> {
  const rows = await db<{ location_id: number; retired: boolean }[]>`
    select stored.*
    from unnest(${ids}::bigint[]) as wanted (id) cross join lateral (
      select location_id, retired from locations where account_id = ${account} and location_id = wanted.id offset 0
    ) stored`
  return new Map(rows.map(({ location_id, retired }) => [location_id, { retired }]))
}

/** Locations have no date: they are listed by identifier, without retired ones. */
export function streamLocationBodies(ask: RunRead<Reader>, account: AccountId, range: Range) {
  return readList(
    ask,
    range,
    (db, { after, skip, limit, bytes }) => db`
    with stretch as (
      select body, location_id from locations
      where account_id = ${account} and location_id > ${after}::bigint and not retired
      order by location_id offset ${skip} limit ${limit}
    ), measured as (
      select *, sum(octet_length(body)) over (order by location_id) as bytes_so_far from stretch
    )
    select body, location_id, location_id from measured
    where bytes_so_far - octet_length(body) < ${bytes}
    order by location_id`,
  )
}
