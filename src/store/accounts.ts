import type { Account } from '../contract/operator/accounts.js'
import type { Quotas } from '../contract/operator/quotas.js'
import { type AccountId, type AccountScope, forwarderAccount } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import type { Database, Fragment, Reader, TransactionSql } from '../database/database.js'
import { inScope } from './account-scope.js'

export type AccountRow = {
  account_id: AccountId
  slug: string
  name: string
  created_at: Date
  suspended_at: Date | null
  second_factor_required: boolean
  /** Whether its people may sign in with the company's provider only. */
  provider_only: boolean
  /** New keys must expire within this many days. */
  max_key_days: number | null
  /** How much more than ordered may be assigned to shipments. */
  over_shipment_percent: number
  /** Its own quotas; others are the defaults of the configuration. */
  quotas: Quotas
  /** Bytes of all versions of its records and documents. */
  stored_bytes: number
}

/** Creates the forwarder's own account, whose people are its operators, or renames it. */
export async function saveForwarderAccount(sql: Database | TransactionSql, name: string): Promise<void> {
  await sql`
    insert into accounts (account_id, slug, name) overriding system value values (${forwarderAccount}, '', ${name})
    on conflict (account_id) do update set name = excluded.name where accounts.name <> excluded.name`
}

export type AccountSettings = Pick<
  AccountRow,
  'name' | 'second_factor_required' | 'provider_only' | 'max_key_days' | 'over_shipment_percent'
> & {
  suspended: boolean
}

/** Undefined if the slug is taken. */
export async function insertAccount(
  sql: TransactionSql,
  slug: string,
  { name, suspended }: { name: string; suspended: boolean },
): Promise<AccountId | undefined> {
  const [row] = await sql<{ account_id: AccountId }[]>`
    insert into accounts (slug, name, suspended_at) values (${slug}, ${name}, case when ${suspended} then ${businessNow(sql)} end)
    on conflict do nothing returning account_id`
  return row?.account_id
}

/** When any account was written to last (ms); 0 if never. */
export async function findLastChange(db: Reader): Promise<number> {
  const [row] = await db<{ at: Date | null }[]>`
    select max(changed_at) as at from accounts where account_id >= ${forwarderAccount} and changed_at > '-infinity'`
  return row?.at?.getTime() ?? 0
}

export async function updateAccountRow(
  sql: TransactionSql,
  account: AccountId,
  change: AccountSettings & Pick<AccountRow, 'quotas'>,
): Promise<void> {
  const { name, suspended, second_factor_required, provider_only, max_key_days, over_shipment_percent, quotas } = change
  await sql`
    update accounts set name = ${name}, second_factor_required = ${second_factor_required}, provider_only = ${provider_only},
      max_key_days = ${max_key_days}, over_shipment_percent = ${over_shipment_percent}, quotas = ${JSON.stringify(quotas)}::text::jsonb,
      suspended_at = case when ${suspended} then coalesce(suspended_at, ${businessNow(sql)}) end
    where account_id = ${account}`
}

export async function getAccountRow(db: Reader, account: AccountId): Promise<AccountRow> {
  const [row] = await db<AccountRow[]>`
    select account_id, slug, name, created_at, suspended_at, second_factor_required, provider_only, max_key_days, over_shipment_percent, quotas, stored_bytes from accounts where account_id = ${account}`
  if (!row) throw new Error(`there is no account ${account}`)
  return row
}

export async function findAccount(db: Reader, slug: string): Promise<AccountId | undefined> {
  return (await findAccountRow(db, slug))?.account_id
}

export async function findAccountRow(db: Reader, slug: string): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`
    select account_id, slug, name, created_at, suspended_at, second_factor_required, provider_only, max_key_days, over_shipment_percent, quotas, stored_bytes from accounts
    where slug = ${slug} and account_id <> ${forwarderAccount} and moved_at is null`
  return row
}

export async function listAccountRows(db: Reader): Promise<AccountRow[]> {
  return db<
    AccountRow[]
  >`select account_id, slug, name, created_at, suspended_at, second_factor_required, provider_only, max_key_days, over_shipment_percent, quotas, stored_bytes from accounts
    where account_id <> ${forwarderAccount} and moved_at is null order by slug`
}

export async function listSlugs(db: Reader, scope: AccountScope): Promise<string[]> {
  const rows = await db<{ slug: string }[]>`
    select slug from accounts where account_id <> ${forwarderAccount} and ${inScope(db, scope)} order by slug`
  return rows.map(({ slug }) => slug)
}

/** The short names of the accounts whose numbers are in a column; null if it is. */
export function slugsOf(db: Reader, column: Fragment): Fragment {
  return db`case when ${column} is not null then array(
    select slug from accounts named where named.account_id = any(${column}) order by slug) end`
}

/** Whether people of the account may sign in with the company's provider only. */
export async function isProviderOnly(db: Reader, account: AccountId): Promise<boolean> {
  const [row] = await db<{ provider_only: boolean }[]>`
    select provider_only from accounts where account_id = ${account}`
  return row?.provider_only ?? false
}

/** The percentage by which assignments of the account may exceed the ordered quantity. */
export async function getOverShipmentPercent(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ over_shipment_percent: number }[]>`
    select over_shipment_percent from accounts where account_id = ${account}`
  return row?.over_shipment_percent ?? 0
}

export type CountedAccount = AccountRow & { counts: Account['counts'] }

/** A page of accounts, or one of them, with the number of resources of each kind. */
export async function listAccountsWithCounts(
  db: Reader,
  scope: AccountScope,
  { slug, skip = 0, take = 1 }: { slug?: string; skip?: number; take?: number },
): Promise<CountedAccount[]> {
  return db<CountedAccount[]>`
    select account_id, slug, name, created_at, suspended_at, second_factor_required, provider_only, max_key_days, over_shipment_percent, quotas, stored_bytes, json_build_object(
      'shipments', (select count(*) from shipments where account_id = page.account_id),
      'purchase_orders', (select count(*) from purchase_orders where account_id = page.account_id),
      'locations', (select count(*) from locations where account_id = page.account_id and not retired),
      'invoices', (select count(*) from invoices where account_id = page.account_id),
      'documents', (select count(*) from documents where account_id = page.account_id),
      'keys', (select count(*) from keys where account_id = page.account_id and revoked_at is null)
    ) as counts
    from (
      select account_id, slug, name, created_at, suspended_at, second_factor_required, provider_only, max_key_days, over_shipment_percent, quotas, stored_bytes from accounts
      where account_id <> ${forwarderAccount} and moved_at is null and ${inScope(db, scope)} and (${slug ?? null}::text is null or slug = ${slug ?? null})
      order by slug offset ${skip} limit ${take}
    ) page
    order by slug`
}
