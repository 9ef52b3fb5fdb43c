import type { AccountId } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import { hashOfKey } from './key-hash.js'

/** The second factors of a person together, and recovery codes. */

type Sql = Database | TransactionSql

export type FactorSummary = {
  /** When the authenticator app was set up; null: there is none. */
  totp_created_at: Date | null
  passkeys: number
  recovery_codes: number
}

export async function getFactorSummary(db: Reader, account: AccountId, person_id: string): Promise<FactorSummary> {
  const [row] = await db<FactorSummary[]>`
    select
      (select confirmed_at from totp_factors where account_id = ${account} and person_id = ${person_id}) as totp_created_at,
      (select count(*) from passkeys where account_id = ${account} and person_id = ${person_id}) as passkeys,
      (select count(*) from recovery_codes where account_id = ${account} and person_id = ${person_id}) as recovery_codes`
  return row ?? { totp_created_at: null, passkeys: 0, recovery_codes: 0 }
}

/** Of two changes of a person's factors at the same time, the second one sees the first one. */
export async function lockFactors(sql: TransactionSql, account: AccountId, person_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`factors ${account} ${person_id}`}, 0))`
}

/** Replaces all codes of the person. */
export async function replaceRecoveryCodes(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  codes: string[],
): Promise<void> {
  await sql`delete from recovery_codes where account_id = ${account} and person_id = ${person_id}`
  for (const code of codes) {
    await sql`
      insert into recovery_codes (account_id, person_id, hash) values (${account}, ${person_id}, ${hashOfKey(code)})`
  }
}

/** False if it is not a code of the person, or was used. */
export async function useRecoveryCode(sql: Sql, account: AccountId, person_id: string, code: string): Promise<boolean> {
  const used = await sql`
    delete from recovery_codes
    where account_id = ${account} and person_id = ${person_id} and hash = ${hashOfKey(code)} returning 1`
  return used.length > 0
}

/** False if there were none. Sign-ins that wait for one have to start again. */
export async function deleteFactors(sql: TransactionSql, account: AccountId, person_id: string): Promise<boolean> {
  const [row] = await sql<{ removed: number }[]>`
    with totp as (delete from totp_factors where account_id = ${account} and person_id = ${person_id} returning 1),
      keys as (delete from passkeys where account_id = ${account} and person_id = ${person_id} returning 1),
      codes as (delete from recovery_codes where account_id = ${account} and person_id = ${person_id} returning 1),
      pending as (delete from pending_sign_ins where account_id = ${account} and person_id = ${person_id} returning 1)
    select (select count(*) from totp) + (select count(*) from keys) + (select count(*) from codes) as removed`
  return (row?.removed ?? 0) > 0
}

export async function isSecondFactorRequired(db: Reader, account: AccountId): Promise<boolean> {
  const [row] = await db<{ second_factor_required: boolean }[]>`
    select second_factor_required from accounts where account_id = ${account}`
  return row?.second_factor_required ?? false
}
