import type { Reader } from './database.js'
import type { AccountId, ChangeKind } from './transaction.js'

/** What resources are made of, as it came in: the newest record of each in the change log. */
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
      where account_id = ${account} and kind = ${kind} and id = wanted.id and record is not null
      order by revision desc limit 1
    ) newest`
  return new Map(rows.map((row) => [row.id, row.record]))
}
