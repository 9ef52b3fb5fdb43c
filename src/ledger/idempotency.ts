import type { AccountId } from '../database/account-id.js'
import type { Fragment, TransactionSql } from '../database/database.js'

export type StoredResponse = { request_hash: string; status: number; body: string }

/** Read under the account's lock: a retry waits until the first request has completed. */
export async function findStoredResponse(
  sql: TransactionSql,
  account: AccountId,
  key: string,
): Promise<StoredResponse | undefined> {
  const [row] = await sql<StoredResponse[]>`
    select request_hash, status, body from idempotency_keys
    where account_id = ${account} and key = ${key} and created_at > now() - interval '24 hours'`
  return row
}

/**
 * Stores the response for a key, and removes the oldest expired ones of the account: more than a write adds, and few enough to
 * delay none. They are ordered by age: without, a plan made while the table is empty reads all keys of the account.
 */
export function storeResponse(sql: TransactionSql, account: AccountId, key: string, answer: StoredResponse): Fragment {
  return sql`
    with expired as (
      delete from idempotency_keys where ctid = any(array(
        select ctid from idempotency_keys
        where account_id = ${account} and created_at < now() - interval '24 hours' and key <> ${key}
        order by created_at limit 20))
    )
    insert into idempotency_keys (account_id, key, request_hash, status, body)
    values (${account}, ${key}, ${answer.request_hash}, ${answer.status}, ${answer.body})
    on conflict (account_id, key) do update
    set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`
}
