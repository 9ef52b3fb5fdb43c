import type { Reader } from './database.js'
import type { AccountId, ChangeKind } from './transaction.js'

/** What resources are made of, as it came in: the newest record of each in the change log, if it was not removed. */
export async function findRecords(
  db: Reader,
  account: AccountId,
  kind: ChangeKind,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await db<{ id: string; record: string }[]>`
    select wanted.id, newest.record
    from unnest(${ids}::text[]) as wanted (id)
    cross join lateral (
      select record from changes
      where account_id = ${account} and kind = ${kind} and id = wanted.id and what <> 'derived'
      order by revision desc limit 1
    ) newest
    where newest.record is not null`
  return new Map(rows.map((row) => [row.id, row.record]))
}
