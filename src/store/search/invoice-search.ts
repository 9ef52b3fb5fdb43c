import type { PortalQuery } from '../../contract/portal/operations.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database, Reader } from '../../database/database.js'
import { settledInvoiceStatuses } from '../../domain/invoices/invoice-status.js'
import {
  dateCriterion,
  dateRange,
  indexCriterion,
  matchesAll,
  unindexedCriterion,
  valueCriterion,
  wordsCriterion,
} from './criteria.js'
import { decodeCursor } from './cursor.js'
import { columnOrder, type DateRange, type Order } from './index-scan.js'
import { type Criterion, countMatches } from './match-counts.js'
import { findPage, type Page } from './page.js'
import { searchTables } from './search-tables.js'
import { parseSearch, type SearchTerms } from './search-words.js'

/** The search of the portal for invoices and credit notes. */

type Search = PortalQuery<'findInvoices'>

/** Null: not filtered. */
type Filter = {
  terms: SearchTerms | undefined
  statuses: string[] | null
  state: Search['state']
  type: string | null
  currency: string | null
  due: DateRange | undefined
  today: string
}

const columns = {
  newest: { column: 'newest_first', keyType: 'integer' },
  due: { column: 'due_on', keyType: 'date' },
  number: { column: 'number', keyType: 'text' },
  amount: { column: 'amount', keyType: 'integer' },
} as const

export async function searchInvoices(db: Database, account: AccountId, search: Search, today: string): Promise<Page> {
  const { q, status, state, type = null, currency = null, sort = 'newest', take = 50 } = search
  const { column, keyType } = columns[sort]
  const after = decodeCursor(search.after, keyType)
  const due = dateRange(search.due_from, search.due_to)
  const statuses = status?.split(',') ?? null
  const filter: Filter = { terms: parseSearch(q), statuses, state, type, currency, due, today }
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await countMatches(db, account, 'invoice', criteria)
  const order = orderOf(db, column, search)
  return findPage(db, account, searchTables.invoice, {
    total,
    conditions,
    matches: matchesAll(db, criteria),
    order,
    after,
    take,
  })
}

/** Open invoices have a partial index by due date. */
function orderOf(db: Database, column: string, { state, order }: Search): Order {
  const byColumn = columnOrder(db, column, order)
  const isOpen = state === 'open' || state === 'overdue'
  return isOpen && column === 'due_on' ? { ...byColumn, paths: [{ column, within: db`is_open` }] } : byColumn
}

function criteriaOf(db: Database, account: AccountId, filter: Filter): Criterion[] {
  const { terms, statuses, state, type, currency, due, today } = filter
  return [
    ...(statuses ? [valueCriterion(db, account, searchTables.invoice, 'status', statuses)] : []),
    ...(state === 'settled'
      ? [valueCriterion(db, account, searchTables.invoice, 'status', settledInvoiceStatuses)]
      : []),
    ...(state === 'open' ? [openCriterion(db, account)] : []),
    ...(state === 'overdue' ? [overdueCriterion(db, account, today)] : []),
    ...(due ? [dateCriterion(db, account, searchTables.invoice, 'due_on', due)] : []),
    ...(terms ? [wordsCriterion(db, account, searchTables.invoice, terms)] : []),
    // A record without a type counts as an invoice.
    ...(type === null ? [] : [unindexedCriterion(db, searchTables.invoice, db`coalesce(type, 'invoice') = ${type}`)]),
    ...(currency === null
      ? []
      : [unindexedCriterion(db, searchTables.invoice, db`${currency}::text = any(currencies)`)]),
  ]
}

function openCriterion(db: Database, account: AccountId): Criterion {
  return indexCriterion(
    db,
    db`is_open`,
    (selected, limit) => db`
      select ${selected} from invoice_search
      where account_id = ${account} and is_open order by due_on, reference limit ${limit}`,
  )
}

function overdueCriterion(db: Database, account: AccountId, today: string): Criterion {
  return indexCriterion(
    db,
    db`is_open and due_on < ${today}::text::date`,
    (selected, limit) => db`
      select ${selected} from invoice_search
      where account_id = ${account} and is_open and due_on < ${today}::text::date
      order by due_on, reference limit ${limit}`,
  )
}

/** Ordered by due date. */
export async function findOpenInvoices(db: Reader, account: AccountId, limit: number): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from invoice_search
    where account_id = ${account} and is_open order by due_on, reference limit ${limit}`
  return rows.map(({ reference }) => reference)
}
