import type { Reader } from './database.js'
import type { AccountId } from './transaction.js'

export type AccountRow = { account_id: AccountId; slug: string; name: string; created_at: Date }

/** Creates the account, or gives an existing one its new name. */
export async function saveAccount(
  db: Reader,
  slug: string,
  name: string,
): Promise<'created' | 'updated' | 'unchanged'> {
  const [row] = await db<{ created: boolean }[]>`
    insert into accounts as account (slug, name) values (${slug}, ${name})
    on conflict (slug) do update set name = excluded.name where account.name <> excluded.name
    returning xmax = 0 as created`
  if (!row) return 'unchanged'
  return row.created ? 'created' : 'updated'
}

/** Creates the account; undefined when the slug is taken. */
export async function createAccount(db: Reader, slug: string, name: string): Promise<AccountId | undefined> {
  const [row] = await db<{ account_id: AccountId }[]>`
    insert into accounts (slug, name) values (${slug}, ${name}) on conflict do nothing returning account_id`
  return row?.account_id
}

export async function findAccount(db: Reader, slug: string): Promise<AccountId | undefined> {
  const [row] = await db<{ account_id: AccountId }[]>`select account_id from accounts where slug = ${slug}`
  return row?.account_id
}

export async function listAccounts(db: Reader): Promise<AccountRow[]> {
  return db<AccountRow[]>`select account_id, slug, name, created_at from accounts order by slug`
}
