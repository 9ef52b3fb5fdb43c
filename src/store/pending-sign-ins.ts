import type { Language } from '../contract/portal/people.js'
import type { Site } from '../contract/portal/sites.js'
import { type AccountId, forwarderAccount } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import { hashOfKey } from './key-hash.js'

/** Sign-ins whose password was right, and which need a second factor. Only hashes of their tokens are stored. */

export const pendingSignInSeconds = 600

// Somebody who knows the password can start any number.
const maxForPerson = 20

export async function createPendingSignIn(
  sql: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  token: string,
): Promise<void> {
  await sql`delete from pending_sign_ins where account_id is not null and expires_at < now()`
  await sql`
    delete from pending_sign_ins
    where account_id = ${account} and person_id = ${person_id} and hash in (
      select hash from pending_sign_ins where account_id = ${account} and person_id = ${person_id}
      order by expires_at desc offset ${maxForPerson - 1})`
  await sql`
    insert into pending_sign_ins (account_id, person_id, hash, expires_at)
    values (${account}, ${person_id}, ${hashOfKey(token)}, now() + ${`${pendingSignInSeconds} seconds`}::text::interval)`
}

export type PendingSignInRow = {
  account_id: AccountId
  person_id: string
  email: string
  name: string
  language: Language
  account_name: string
}

/** Undefined if it was completed, has expired, or the person was disabled or removed. */
export async function findPendingSignIn(db: Reader, site: Site, token: string): Promise<PendingSignInRow | undefined> {
  const [row] = await db<PendingSignInRow[]>`
    select account_id, person_id, email, people.name, language, accounts.name as account_name
    from pending_sign_ins join people using (account_id, person_id) join accounts using (account_id)
    where hash = ${hashOfKey(token)} and expires_at > now() and disabled_at is null
      and (account_id = ${forwarderAccount}) = ${site === 'office'}`
  return row
}

/** False if another request has completed it. */
export async function endPendingSignIn(
  sql: TransactionSql,
  { account_id, person_id }: PendingSignInRow,
  token: string,
): Promise<boolean> {
  const ended = await sql`
    delete from pending_sign_ins
    where account_id = ${account_id} and person_id = ${person_id} and hash = ${hashOfKey(token)} returning 1`
  return ended.length > 0
}
