import type { Account } from '../contract/ops/accounts.js'
import type { Reader, TransactionSql } from './database.js'
import { type AccountId, type Transaction, writeTo } from './transaction.js'

export type AccountRow = {
  account_id: AccountId
  slug: string
  name: string
  created_at: Date
  suspended_at: Date | null
}

/** Creates the account, or gives an existing one its new name; whether it is suspended stays where nothing is said. */
export async function saveAccount(
  sql: TransactionSql,
  slug: string,
  given: { name: string; suspended?: boolean | undefined },
  author: string,
): Promise<'created' | 'updated' | 'unchanged'> {
  if ((await createAccountIn(sql, slug, given, author)) !== undefined) return 'created'
  const account = await findAccountRow(sql, slug)
  if (!account) return 'unchanged'
  const hasChanged = await writeTo(sql, account.account_id, author, (tx) =>
    changeAccount(tx, account.account_id, given),
  )
  return hasChanged ? 'updated' : 'unchanged'
}

/** Creates the account; undefined when the slug is taken. */
export async function createAccountIn(
  sql: TransactionSql,
  slug: string,
  { name, suspended = false }: { name: string; suspended?: boolean | undefined },
  author: string,
): Promise<AccountId | undefined> {
  const [row] = await sql<{ account_id: AccountId }[]>`
    insert into accounts (slug, name, suspended_at) values (${slug}, ${name}, case when ${suspended} then now() end)
    on conflict do nothing returning account_id`
  if (!row) return undefined
  await writeTo(sql, row.account_id, author, (tx) =>
    tx.record([{ kind: 'account', id: slug, what: 'created', record: recordOf({ name, suspended }) }]),
  )
  return row.account_id
}

/** False when it says what is stored already. */
export async function changeAccount(
  tx: Transaction,
  account: AccountId,
  change: { name?: string | undefined; suspended?: boolean | undefined; reason?: string | undefined },
): Promise<boolean> {
  // Read under the lock: two changes at once, of the name and of the suspension, both stand.
  const [before] = await tx.sql<AccountRow[]>`
    select account_id, slug, name, created_at, suspended_at from accounts where account_id = ${account}`
  if (!before) throw new Error(`there is no account ${account}`)
  const wasSuspended = before.suspended_at !== null
  const { name = before.name, suspended = wasSuspended, reason } = change
  if (name === before.name && suspended === wasSuspended) return false
  await tx.sql`
    update accounts set name = ${name},
      suspended_at = case when ${suspended} then coalesce(suspended_at, now()) end
    where account_id = ${account}`
  await tx.record([
    { kind: 'account', id: before.slug, what: 'updated', record: recordOf({ name, suspended }), reason },
  ])
  return true
}

function recordOf(account: { name: string; suspended: boolean }): string {
  return JSON.stringify(account)
}

export async function findAccount(db: Reader, slug: string): Promise<AccountId | undefined> {
  return (await findAccountRow(db, slug))?.account_id
}

export async function findAccountRow(db: Reader, slug: string): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`
    select account_id, slug, name, created_at, suspended_at from accounts where slug = ${slug}`
  return row
}

export async function listAccounts(db: Reader): Promise<AccountRow[]> {
  return db<AccountRow[]>`select account_id, slug, name, created_at, suspended_at from accounts order by slug`
}

export type CountedAccount = AccountRow & { counts: Account['counts'] }

/** A page of accounts, or one of them, with how much each has. */
export async function countAccounts(
  db: Reader,
  { slug, skip = 0, take = 1 }: { slug?: string; skip?: number; take?: number },
): Promise<CountedAccount[]> {
  return db<CountedAccount[]>`
    select account_id, slug, name, created_at, suspended_at, json_build_object(
      'shipments', (select count(*) from shipments where account_id = page.account_id),
      'purchase_orders', (select count(*) from purchase_orders where account_id = page.account_id),
      'locations', (select count(*) from locations where account_id = page.account_id and not retired),
      'invoices', (select count(*) from invoices where account_id = page.account_id),
      'documents', (select count(*) from documents where account_id = page.account_id),
      'keys', (select count(*) from keys where account_id = page.account_id and revoked_at is null)
    ) as counts
    from (
      select account_id, slug, name, created_at, suspended_at from accounts
      where ${slug ?? null}::text is null or slug = ${slug ?? null}
      order by slug offset ${skip} limit ${take}
    ) page
    order by slug`
}
