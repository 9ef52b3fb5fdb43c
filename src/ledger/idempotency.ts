import type { AccountId } from '../database/account-id.js'
import { asJson, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'

export type StoredResponse = { request_hash: string; status: number; body: string }

/** Read under the account's lock: a retry waits until the first request has completed. */
export async function findStoredResponse(
  sql: TransactionSql,
  account: AccountId,
  key: string,
): Promise<StoredResponse | undefined> {
  const [row] = await lookUpResponses(sql, [{ account, key }])
  return row
}

const lookUpResponses = lookup<{ account: AccountId; key: string }, StoredResponse>(
  (sql, keys) => sql`
    select place, stored.*
    from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ key }) => key)}::text[])
      with ordinality as wanted (account_id, key, place)
    cross join lateral (
      select request_hash, status, body from idempotency_keys
      where account_id = wanted.account_id and key = wanted.key and created_at > now() - interval '24 hours' offset 0
    ) stored`,
)

/**
 * Stores the response for a key, and removes the oldest expired ones of the account: more than a write adds, and few enough to
 * delay none. They are ordered by age: without, a plan made while the table is empty reads all keys of the account.
 */
export function storeResponse(sql: TransactionSql, account_id: AccountId, key: string, answer: StoredResponse): void {
  sql.gathering.write(insertResponses, [{ account_id, key, ...answer }])
}

function insertResponses(sql: Reader, rows: (StoredResponse & { account_id: AccountId; key: string })[]) {
  const accounts = [...new Set(rows.map(({ account_id }) => account_id))]
  const keys = rows.map(({ key }) => key)
  return sql`
    with expired as (
      delete from idempotency_keys where ctid = any(array(
        select old.ctid
        from unnest(${accounts}::integer[]) as wanted (account_id)
        cross join lateral (
          select ctid from idempotency_keys
          where account_id = wanted.account_id and created_at < now() - interval '24 hours' and key <> all(${keys}::text[])
          order by created_at limit ${20 * rows.length}
        ) old))
    )
    insert into idempotency_keys (account_id, key, request_hash, status, body)
    select account_id, key, request_hash, status, body
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb)
      as saved (account_id integer, key text, request_hash text, status integer, body text)
    on conflict (account_id, key) do update
    set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`
}
