import type { TransactionSql } from './database.js'
import type { AccountId } from './transaction.js'

export type RememberedAnswer = { request_hash: string; status: number; body: string }

/** The account's lock is held: a retry waits here until the first request has been answered. */
export async function findRememberedAnswer(
  sql: TransactionSql,
  account: AccountId,
  key: string,
): Promise<RememberedAnswer | undefined> {
  const [row] = await sql<RememberedAnswer[]>`
    select request_hash, status, body from idempotency_keys
    where account_id = ${account} and key = ${key} and created_at > now() - interval '24 hours'`
  return row
}

export async function rememberAnswer(
  sql: TransactionSql,
  account: AccountId,
  key: string,
  answer: RememberedAnswer,
): Promise<void> {
  await sql`
    insert into idempotency_keys (account_id, key, request_hash, status, body)
    values (${account}, ${key}, ${answer.request_hash}, ${answer.status}, ${answer.body})
    on conflict (account_id, key) do update
    set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`
  await sql`
    delete from idempotency_keys
    where account_id = ${account} and created_at < now() - interval '24 hours'`
}
