import type { Language, PersonalLink } from '../contract/portal/people.js'
import type { Site } from '../contract/portal/sites.js'
import { type AccountId, forwarderAccount } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'
import { hashOfKey } from './key-hash.js'

/** Links in mails for setting a password. A link works once, and a newer link of the same purpose replaces it. */

export type LinkPurpose = PersonalLink['purpose']

const lifetimes = { invitation: '7 days', reset: '1 hour' } as const satisfies Record<LinkPurpose, string>

export async function createLink(
  sql: Database | TransactionSql,
  account: AccountId,
  person_id: string,
  link: { token: string; purpose: LinkPurpose },
): Promise<void> {
  const { token, purpose } = link
  await sql`
    insert into personal_links (hash, account_id, person_id, purpose, expires_at)
    values (${hashOfKey(token)}, ${account}, ${person_id}, ${purpose}, now() + ${lifetimes[purpose]}::text::interval)
    on conflict (account_id, person_id, purpose) do update
    set hash = excluded.hash, expires_at = excluded.expires_at`
}

export type LinkRow = PersonalLink & { account_id: AccountId; person_id: string; language: Language }

export async function findLink(db: Reader, site: Site, token: string): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`
    select purpose, email, people.name, accounts.name as account_name, account_id, person_id, language
    from personal_links join people using (account_id, person_id) join accounts using (account_id)
    where hash = ${hashOfKey(token)} and expires_at > now() and disabled_at is null and suspended_at is null
      and (account_id = ${forwarderAccount}) = ${site === 'office'}`
  return row
}

/** Sets the password. Undefined if the link was used or has expired. */
export async function redeemLink(
  sql: TransactionSql,
  site: Site,
  token: string,
  chosen: { password_hash: string; name?: string | undefined },
): Promise<LinkRow | undefined> {
  const link = await findLink(sql, site, token)
  if (!link) return undefined
  // Of two concurrent requests, one finds it deleted.
  const used = await sql`delete from personal_links where hash = ${hashOfKey(token)} returning 1`
  if (used.length === 0) return undefined
  await setPassword(sql, link.account_id, link.person_id, chosen)
  return link
}

/** Also deletes all links of the person. */
export async function setPassword(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  { password_hash, name }: { password_hash: string; name?: string | undefined },
): Promise<void> {
  await sql`
    update people set password_hash = ${password_hash}, name = coalesce(${name ?? null}, name)
    where account_id = ${account} and person_id = ${person_id}`
  await sql`delete from personal_links where account_id = ${account} and person_id = ${person_id}`
}
