import type { ForwarderInvoiceSearch } from '../contract/operator/billing.js'
import { invalid } from '../contract/refusals.js'
import type { AccountId, AccountScope } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'
import { inScope } from './account-scope.js'
import { decodeCursor, encodeCursor } from './search/cursor.js'
import { handledAs } from './work-items.js'

/** Invoices, credit notes and drafts of all accounts, as the office lists them. */

type Row = { account_id: AccountId; account: string; account_name: string; reference: string; key: string | null }

// As in the partial index: the planner compares them as they are written.
function isOpen(db: Reader): Fragment {
  return db`not draft and type is distinct from 'credit_note'
    and status is distinct from 'paid' and status is distinct from 'write_off'`
}

function inState(db: Reader, state: ForwarderInvoiceSearch['state'], today: string): Fragment {
  switch (state) {
    case 'draft':
      return db`draft`
    case 'open':
      return isOpen(db)
    case 'overdue':
      return db`${isOpen(db)} and due_on < ${today}`
    case 'disputed':
      return db`status = 'litigious' and not draft`
    case 'settled':
      return db`not draft and status in ('paid', 'write_off')`
    default:
      return db`true`
  }
}

export async function listInvoicesOfAllAccounts(
  db: Reader,
  scope: AccountScope,
  search: ForwarderInvoiceSearch,
  today: string,
): Promise<{ rows: Row[]; next: string | undefined }> {
  const { state, q, take = 50, type, owner, snoozed } = search
  // What is due first comes first; otherwise the newest.
  const byDue = state === 'open' || state === 'overdue'
  const key = byDue ? db`due_on` : db`newest_first`
  const words = q?.trim()
  const rows = await db<Row[]>`
    select found.account_id, slug as account, name as account_name, found.reference, key::text as key
    from (
      select account_id, reference, ${key} as key from invoices
      where ${inState(db, state, today)}
        and ${inScope(db, scope)}
        ${type === undefined ? db`` : db`and coalesce(type, 'invoice') = ${type}`}
        ${
          words === undefined || words === ''
            ? db``
            : db`and (strpos(upper(coalesce(number, '')), upper(${words})) > 0
          or strpos(upper(reference), upper(${words})) > 0 or upper(svc_shipment_id) = upper(${words}))`
        }
        ${handledAs(db, 'dispute', { owner, snoozed })}
        ${afterCursor(db, search.after, byDue)}
      order by ${key} nulls last, account_id, reference limit ${take + 1}
    ) found join accounts using (account_id)
    order by found.key nulls last, account_id, reference`
  const last = rows.length > take ? rows[take - 1] : undefined
  return {
    rows: rows.slice(0, take),
    next: last && encodeCursor({ key: keyOf(last.key, byDue), id: last.reference, before: last.account_id }),
  }
}

function keyOf(key: string | null, byDue: boolean): string | number | null {
  return key === null || byDue ? key : Number(key)
}

function afterCursor(db: Reader, after: string | undefined, byDue: boolean): Fragment {
  const cursor = decodeCursor(after, byDue ? 'text' : 'integer')
  if (!cursor) return db``
  const { key, id, before: account } = cursor
  if (account > 2_147_483_647) throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before' }])
  const beyond = db`(account_id, reference) > (${account}::integer, ${id})`
  if (!byDue) return db`and (newest_first, account_id, reference) > (${key}::bigint, ${account}::integer, ${id})`
  if (key === null) return db`and due_on is null and ${beyond}`
  return db`and (due_on is null or due_on > ${key}::text or (due_on = ${key}::text and ${beyond}))`
}

export type InvoiceCounts = { draft: number; open: number; overdue: number; disputed: number }

export async function countInvoicesOfAllAccounts(
  db: Reader,
  scope: AccountScope,
  today: string,
): Promise<InvoiceCounts> {
  const [counts] = await db<InvoiceCounts[]>`
    select
      (select count(*) from invoices where draft and ${inScope(db, scope)})::integer as draft,
      (select count(*) from invoices where ${isOpen(db)} and ${inScope(db, scope)})::integer as open,
      (select count(*) from invoices where ${isOpen(db)} and due_on < ${today} and ${inScope(db, scope)})::integer as overdue,
      (select count(*) from invoices where status = 'litigious' and not draft and ${inScope(db, scope)})::integer as disputed`
  return counts ?? { draft: 0, open: 0, overdue: 0, disputed: 0 }
}

export type OpenInvoice = { account_id: AccountId; reference: string; number: string | null }

/** Open invoices of all accounts, those that are due first. */
export async function listOpenInvoices(db: Reader, scope: AccountScope, limit: number): Promise<OpenInvoice[]> {
  return db`
    select account_id, reference, number from invoices
    where ${isOpen(db)} and ${inScope(db, scope)}
    order by due_on, account_id, reference limit ${limit}`
}

/** Bodies of some invoices of any accounts, by `invoiceKey`. */
export async function findInvoiceBodies(db: Reader, invoices: OpenInvoice[]): Promise<Map<string, string>> {
  const accounts = invoices.map(({ account_id }) => account_id)
  const references = invoices.map(({ reference }) => reference)
  const rows = await db<{ account_id: AccountId; reference: string; body: string }[]>`
    select account_id, reference, body
    from unnest(${accounts}::integer[], ${references}::text[]) as wanted (account_id, reference)
    join invoices using (account_id, reference)`
  return new Map(rows.map(({ body, ...row }) => [invoiceKey(row), body]))
}

export function invoiceKey({ account_id, reference }: Pick<OpenInvoice, 'account_id' | 'reference'>): string {
  return `${account_id} ${reference}`
}

/** Accounts that owe something or have something unapplied, by their short names. */
export async function listDebtors(
  db: Reader,
  scope: AccountScope,
  after: string,
  limit: number,
): Promise<{ account_id: AccountId; account: string; account_name: string }[]> {
  return db`
    select account_id, slug as account, name as account_name from accounts
    where slug > ${after} and account_id > 0 and ${inScope(db, scope)} and (
      exists (select from invoices where invoices.account_id = accounts.account_id and ${isOpen(db)})
      or exists (
        select from payments
        where payments.account_id = accounts.account_id and record like '%"unapplied":%'))
    order by slug limit ${limit}`
}

/**
 * Shipments that are finished or under way and have no invoice, those finished first, then the newest. Only the newest shipments are looked
 * through: what has not been billed for that long is not going to be.
 */
export async function listUnbilledShipments(
  db: Reader,
  scope: AccountScope,
  { scanned, take, q }: { scanned: number; take: number; q: string | undefined },
): Promise<{ account: string; account_name: string; svc_shipment_id: string; body: string; has_draft: boolean }[]> {
  return db`
    with newest as materialized (
      select account_id, svc_shipment_id, newest_first, status from shipment_search
      where ${inScope(db, scope)}
      order by newest_first, account_id, svc_shipment_id limit ${scanned}
    )
    select slug as account, accounts.name as account_name, newest.svc_shipment_id, shipments.body,
      exists (
        select from invoices where invoices.account_id = newest.account_id
          and invoices.svc_shipment_id = newest.svc_shipment_id and draft) as has_draft
    from newest
    join accounts using (account_id)
    join shipments on shipments.account_id = newest.account_id and shipments.svc_shipment_id = newest.svc_shipment_id
    where newest.status in ('in_progress', 'finished') and not exists (
      select from invoices where invoices.account_id = newest.account_id
        and invoices.svc_shipment_id = newest.svc_shipment_id and not draft and type is distinct from 'credit_note')
      ${
        q === undefined
          ? db``
          : db`and (strpos(lower(newest.svc_shipment_id), lower(${q})) > 0
              or strpos(lower(shipments.body::jsonb ->> 'name'), lower(${q})) > 0)`
      }
    order by newest.status = 'in_progress', newest.newest_first, newest.account_id, newest.svc_shipment_id limit ${take}`
}
