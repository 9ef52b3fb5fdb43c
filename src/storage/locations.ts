import { asJson, type Reader } from './database.js'
import type { Ask } from './readers.js'
import { oneBody, type Range, readList } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type LocationRow = {
  location_id: number
  retired: boolean
  body: string
  record: string
  what: 'created' | 'updated'
  reason?: string | undefined
}

// An identifier has one address: /v1/locations/7, not /v1/locations/007.
const locationId = /^(?:0|-?[1-9]\d{0,15})$/

export function isLocationId(text: string): boolean {
  return locationId.test(text)
}

export async function saveLocations(tx: Transaction, account: AccountId, rows: LocationRow[]): Promise<void> {
  const given = asJson(rows, ({ location_id, retired, body }) => ({ location_id, retired, body }))
  await tx.sql`
    insert into locations (account_id, location_id, retired, revision, body)
    select ${account}, location_id, retired, ${tx.revision}, body
    from jsonb_to_recordset(${given}::text::jsonb)
      as saved (location_id bigint, retired boolean, body text)
    on conflict (account_id, location_id) do update
    set retired = excluded.retired, revision = excluded.revision, body = excluded.body`
  await tx.record(
    rows.map(({ location_id, what, record, reason }) => ({
      kind: 'location',
      id: String(location_id),
      what,
      record,
      reason,
    })),
  )
}

export function findLocation(db: Reader, account: AccountId, id: number) {
  return oneBody(db`select body, revision from locations where account_id = ${account} and location_id = ${id}`)
}

/** The next identifier that no location of the account has had. */
export async function nextLocationId(tx: Transaction, account: AccountId): Promise<number> {
  const [row] = await tx.sql<{ next: number }[]>`
    select greatest(coalesce(max(location_id), 0), 0) + 1 as next from locations where account_id = ${account}`
  return row?.next ?? 1
}

/** Retired ones too. */
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

/** Which city each location of the account is in, where that is told; retired ones are not listed. */
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
    select location_id, retired from locations where account_id = ${account} and location_id = any(${ids}::bigint[])`
  return new Map(rows.map(({ location_id, retired }) => [location_id, { retired }]))
}

/** Locations carry no date: they are listed by identifier. Retired ones are no longer listed. */
export function listLocations(ask: Ask<Reader>, account: AccountId, range: Range) {
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
