import { type AccountId, forwarderAccount } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import type { Database, Reader } from '../database/database.js'

/** Revisions of all accounts in one order: each row is a range of revisions of an account. */

export type EventRange = {
  position: number
  account_id: AccountId
  slug: string
  /** The revisions after this one. */
  after_revision: number
  /** Up to this one. */
  revision: number
}

// An arbitrary number: those who count take turns, so that positions become visible in their order.
const lockNumber = 7_203_344

/** Counts the revisions that are not counted yet, and removes ranges that are older than the feed goes back. */
export async function countRevisions(db: Database, days: number): Promise<void> {
  await db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`
    await sql`
      insert into event_positions (account_id, at, position, after_revision, revision)
      select account_id, ${businessNow(sql)},
        coalesce((select max(position) from event_positions), 0) + row_number() over (order by changed_at, account_id),
        after_revision, revision
      from (
        select accounts.account_id, coalesce(counted.revision, 0) as after_revision, accounts.revision, changed_at
        from accounts left join lateral (
          select revision from event_positions
          where account_id = accounts.account_id order by position desc limit 1
        ) counted on true
        where accounts.account_id <> ${forwarderAccount} and accounts.revision > coalesce(counted.revision, 0)
      ) ahead`
    // The newest one of each account is where its count goes on.
    await sql`
      delete from event_positions old using (
        select account_id, position from event_positions ranges
        where at < ${businessNow(sql)} - make_interval(days => ${days})
          and exists (
            select from event_positions newer
            where newer.account_id = ranges.account_id and newer.position > ranges.position)
        order by position limit 1000
      ) removed
      where old.account_id = removed.account_id and old.position = removed.position`
  })
}

/** Ranges from a position on, with it. */
export async function listRangesFrom(db: Reader, position: number, most: number): Promise<EventRange[]> {
  return db<EventRange[]>`
    select position, account_id, slug, after_revision, event_positions.revision
    from event_positions join accounts using (account_id)
    where position >= ${position}::bigint order by position limit ${most}`
}

export async function findNewestPosition(db: Reader): Promise<number> {
  const [row] = await db<{ position: number }[]>`
    select coalesce(max(position), 0) as position from event_positions`
  return row?.position ?? 0
}
