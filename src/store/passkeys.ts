import type { AccountId } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import { hashOfKey } from './key-hash.js'

/** Passkeys of people, and the challenges that they sign. */

type Sql = Database | TransactionSql

export type PasskeyRow = {
  account_id: AccountId
  person_id: string
  passkey_id: string
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

export type NewPasskey = Pick<
  PasskeyRow,
  'passkey_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name'
>

/** False if somebody has it already. */
export async function createPasskey(
  sql: Sql,
  account: AccountId,
  person_id: string,
  { passkey_id, credential_id, public_key, counter, transports, name }: NewPasskey,
): Promise<boolean> {
  const created = await sql`
    insert into passkeys (account_id, person_id, passkey_id, credential_id, public_key, counter, transports, name)
    values (${account}, ${person_id}, ${passkey_id}, ${credential_id}, ${public_key}, ${counter}, ${transports}::text[], ${name})
    on conflict (credential_id) do nothing returning 1`
  return created.length > 0
}

export async function listPasskeys(db: Reader, account: AccountId, person_id: string): Promise<PasskeyRow[]> {
  return db<PasskeyRow[]>`
    select account_id, person_id, passkey_id, credential_id, public_key, counter, transports, name, created_at, last_used_at
    from passkeys where account_id = ${account} and person_id = ${person_id} order by created_at, passkey_id`
}

/** Finds a passkey of anybody: with it somebody signs in without an e-mail address. */
export async function findPasskey(db: Reader, credential_id: string): Promise<PasskeyRow | undefined> {
  const [row] = await db<PasskeyRow[]>`
    select account_id, person_id, passkey_id, credential_id, public_key, counter, transports, name, created_at, last_used_at
    from passkeys where credential_id = ${credential_id}`
  return row
}

/** False if a signature with this or a higher counter was accepted before. Many authenticators always send 0. */
export async function acceptPasskeyCounter(
  sql: Sql,
  { account_id, person_id, passkey_id }: PasskeyRow,
  counter: number,
): Promise<boolean> {
  const accepted = await sql`
    update passkeys set counter = ${counter}, last_used_at = now()
    where account_id = ${account_id} and person_id = ${person_id} and passkey_id = ${passkey_id}
      and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning 1`
  return accepted.length > 0
}

export async function renamePasskeyRow(
  sql: Sql,
  account: AccountId,
  person_id: string,
  { passkey_id, name }: { passkey_id: string; name: string },
): Promise<boolean> {
  const renamed = await sql`
    update passkeys set name = ${name}
    where account_id = ${account} and person_id = ${person_id} and passkey_id = ${passkey_id} returning 1`
  return renamed.length > 0
}

/** The name of the deleted one; undefined if the person has no such passkey. */
export async function deletePasskey(
  sql: Sql,
  account: AccountId,
  person_id: string,
  passkey_id: string,
): Promise<string | undefined> {
  const [deleted] = await sql<{ name: string }[]>`
    delete from passkeys where account_id = ${account} and person_id = ${person_id} and passkey_id = ${passkey_id}
    returning name`
  return deleted?.name
}

export type ChallengePurpose = 'sign-in' | 'second factor' | 'reauthentication' | 'enrolment'

/** `token`: of the session or the pending sign-in that the challenge is for. */
export async function createChallenge(
  sql: Sql,
  { challenge, purpose, token }: { challenge: string; purpose: ChallengePurpose; token?: string | undefined },
): Promise<void> {
  await sql`delete from passkey_challenges where expires_at < now()`
  await sql`
    insert into passkey_challenges (hash, purpose, bound_to, expires_at)
    values (${hashOfKey(challenge)}, ${purpose}, ${boundTo(token)}, now() + interval '5 minutes')`
}

/** Ends a challenge. False if it was used, has expired, or is for something else. */
export async function useChallenge(
  sql: Sql,
  { challenge, purpose, token }: { challenge: string; purpose: ChallengePurpose; token?: string | undefined },
): Promise<boolean> {
  const used = await sql`
    delete from passkey_challenges
    where hash = ${hashOfKey(challenge)} and purpose = ${purpose} and bound_to is not distinct from ${boundTo(token)}
      and expires_at > now()
    returning 1`
  return used.length > 0
}

function boundTo(token: string | undefined): Buffer | null {
  return token === undefined ? null : hashOfKey(token)
}
