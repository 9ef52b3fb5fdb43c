import { asJson, type Reader } from './database.js'
import { oneBody, type Range, readList } from './rendered.js'
import type { AccountId, Transaction } from './transaction.js'

export type LocationRow = { location_id: number; body: string; record: string; what: 'created' | 'updated' }

export async function saveLocations(tx: Transaction, account: AccountId, rows: LocationRow[]): Promise<void> {
  const given = asJson(rows, ({ location_id, body }) => ({ location_id, body }))
  await tx.sql`
    insert into locations (account_id, location_id, revision, body)
    select ${account}, location_id, ${tx.revision}, body
    from jsonb_to_recordset(${given}::text::jsonb)
      as saved (location_id bigint, body text)
    on conflict (account_id, location_id) do update set revision = excluded.revision, body = excluded.body`
  await tx.record(
    rows.map((row) => ({ kind: 'location', id: String(row.location_id), what: row.what, record: row.record })),
  )
}

export function findLocation(db: Reader, account: AccountId, id: number) {
  return oneBody(db`select body, revision from locations where account_id = ${account} and location_id = ${id}`)
}

/** Locations carry no date: they are listed by identifier. */
export function listLocations(db: Reader, account: AccountId, range: Range) {
  return readList(
    range,
    ({ after, skip, limit, bytes }) => db`
    with stretch as (
      select body, location_id from locations
      where account_id = ${account} and location_id > ${after}::bigint
      order by location_id offset ${skip} limit ${limit}
    ), measured as (
      select *, sum(octet_length(body)) over (order by location_id) as bytes_so_far from stretch
    )
    select body, location_id, location_id from measured
    where bytes_so_far - octet_length(body) < ${bytes}
    order by location_id`,
  )
}
