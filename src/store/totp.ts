import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
import { decrypt, encrypt } from './encrypted-value.js'

/** Secrets of authenticator apps, encrypted. A secret is in use after its first code was confirmed. */

type Sql = Database | TransactionSql

export type TotpRow = { secret: string; isConfirmed: boolean }

/** False if the person has one in use; replaces one that was not confirmed. */
export async function createTotp(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  secret: string,
): Promise<boolean> {
  // Locked, so that the secret of the service is not renewed meanwhile.
  const [service] = await sql<{ link_secret: string }[]>`select link_secret from service for share`
  if (!service) throw new Error('the database is not migrated')
  const created = await sql`
    insert into totp_factors (account_id, person_id, secret)
    values (${account}, ${person_id}, ${encrypt(service.link_secret, 'totp', { secret })})
    on conflict (account_id, person_id) do update set secret = excluded.secret, created_at = now()
    where totp_factors.confirmed_at is null
    returning 1`
  return created.length > 0
}

/** Undefined if there is none, or it was encrypted with another secret. */
export async function findTotp(sql: Sql, account: AccountId, person_id: string): Promise<TotpRow | undefined> {
  const [row] = await sql<{ secret: string; link_secret: string; isConfirmed: boolean }[]>`
    select secret, link_secret, confirmed_at is not null as "isConfirmed"
    from totp_factors cross join service where account_id = ${account} and person_id = ${person_id}`
  const content = row && (decrypt(row.link_secret, 'totp', row.secret) as { secret: string } | undefined)
  return content && { secret: content.secret, isConfirmed: row.isConfirmed }
}

/** Accepts a code of these 30 seconds. False if it, or a later one, was accepted before. */
export async function acceptTotpStep(sql: Sql, account: AccountId, person_id: string, step: number): Promise<boolean> {
  const accepted = await sql`
    update totp_factors set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where account_id = ${account} and person_id = ${person_id} and last_step < ${step} returning 1`
  return accepted.length > 0
}

/** False if there was none. */
export async function deleteTotp(sql: Sql, account: AccountId, person_id: string): Promise<boolean> {
  const deleted = await sql<{ isConfirmed: boolean }[]>`
    delete from totp_factors where account_id = ${account} and person_id = ${person_id}
    returning confirmed_at is not null as "isConfirmed"`
  return deleted.some(({ isConfirmed }) => isConfirmed)
}

/** Before the secret of the service is replaced: encrypts all secrets with the next one. */
export async function reencryptTotp(sql: TransactionSql, from: string, to: string, account?: AccountId): Promise<void> {
  const rows = await sql<{ account_id: AccountId; person_id: string; secret: string }[]>`
    select account_id, person_id, secret from totp_factors
    where ${account ?? null}::integer is null or account_id = ${account ?? null}::integer for update`
  for (const { account_id, person_id, secret } of rows) {
    const content = decrypt(from, 'totp', secret) as object | undefined
    if (!content) continue
    await sql`
      update totp_factors set secret = ${encrypt(to, 'totp', content)}
      where account_id = ${account_id} and person_id = ${person_id}`
  }
}
