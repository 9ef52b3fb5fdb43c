import type { PortalQuery } from '../../contract/portal/operations.js'
import type { Database, Reader } from '../database.js'
import type { AccountId } from '../transaction.js'
import { answering, havingValue, havingWords, matchingAll, unindexed } from './criteria.js'
import { placeOf } from './cursor.js'
import { type Criterion, measure } from './measuring.js'
import { findPage, type Page } from './page.js'
import { listed } from './searched.js'
import { columnOrder, type Order } from './walk.js'
import { type Sought, soughtIn } from './words.js'

/** Invoices and credit notes as people look for them. */

type Search = PortalQuery<'findInvoices'>

/** Null: no matter. */
type Filter = {
  sought: Sought | undefined
  statuses: string[] | null
  state: Search['state']
  type: string | null
  currency: string | null
  today: string
}

const columns = {
  newest: { column: 'newest_first', keyType: 'integer' },
  due: { column: 'due_on', keyType: 'date' },
  number: { column: 'number', keyType: 'text' },
} as const

export async function findInvoicePage(db: Database, account: AccountId, search: Search, today: string): Promise<Page> {
  const { q, status, state, type = null, currency = null, sort = 'newest', take = 50 } = search
  const { column, keyType } = columns[sort]
  const after = placeOf(search.after, keyType)
  const filter: Filter = { sought: soughtIn(q), statuses: status?.split(',') ?? null, state, type, currency, today }
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await measure(db, account, 'invoice', criteria)
  const order = orderOf(db, column, search)
  return findPage(db, account, listed.invoice, {
    total,
    conditions,
    matches: matchingAll(db, criteria),
    order,
    after,
    take,
  })
}

/** What is open has an index of its own, by when it is due. */
function orderOf(db: Database, column: string, { state, order }: Search): Order {
  const along = columnOrder(db, column, order)
  const isOpen = state === 'open' || state === 'overdue'
  return isOpen && column === 'due_on' ? { ...along, paths: [{ column, within: db`is_open` }] } : along
}

// What has come to its end. A credit note stays as it was issued, unless something is paid back.
const settled = ['paid', 'write_off']

function criteriaOf(db: Database, account: AccountId, filter: Filter): Criterion[] {
  const { sought, statuses, state, type, currency, today } = filter
  return [
    ...(statuses ? [havingValue(db, account, listed.invoice, 'status', statuses)] : []),
    ...(state === 'settled' ? [havingValue(db, account, listed.invoice, 'status', settled)] : []),
    ...(state === 'open' ? [beingOpen(db, account)] : []),
    ...(state === 'overdue' ? [beingOverdue(db, account, today)] : []),
    ...(sought ? [havingWords(db, account, listed.invoice, sought)] : []),
    // What is of no known type asks for money, as an invoice does.
    ...(type === null ? [] : [unindexed(db, listed.invoice, db`coalesce(type, 'invoice') = ${type}`)]),
    ...(currency === null ? [] : [unindexed(db, listed.invoice, db`${currency}::text = any(currencies)`)]),
  ]
}

function beingOpen(db: Database, account: AccountId): Criterion {
  return answering(
    db,
    db`is_open`,
    (selected, limit) => db`
      select ${selected} from invoice_search
      where account_id = ${account} and is_open order by due_on, reference limit ${limit}`,
  )
}

function beingOverdue(db: Database, account: AccountId, today: string): Criterion {
  return answering(
    db,
    db`is_open and due_on < ${today}::text::date`,
    (selected, limit) => db`
      select ${selected} from invoice_search
      where account_id = ${account} and is_open and due_on < ${today}::text::date
      order by due_on, reference limit ${limit}`,
  )
}

/** Those that are due first, first. */
export async function findOpenInvoices(db: Reader, account: AccountId, limit: number): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from invoice_search
    where account_id = ${account} and is_open order by due_on, reference limit ${limit}`
  return rows.map(({ reference }) => reference)
}
