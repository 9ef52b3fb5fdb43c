import type { PortalQuery } from '../../contract/portal/operations.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { indexCriterion, matchesAll, valueCriterion, wordsCriterion } from './criteria.js'
import { decodeCursor } from './cursor.js'
import { columnOrder, partitionsBy } from './index-scan.js'
import { lateOrdersCriterion } from './late-orders.js'
import { type Criterion, countMatches } from './match-counts.js'
import { findPage, type Page } from './page.js'
import { updateSearchIndex } from './search-state.js'
import { searchTables } from './search-tables.js'
import { parseSearch, type SearchTerms, sortKeyOf } from './search-words.js'

/** The purchase order search of the portal. */

export type PurchaseOrderQuery = PortalQuery<'findPurchaseOrders'>

type Filter = {
  terms: SearchTerms | undefined
  states: string[] | undefined
  /** The sort key of the name, which ignores case. */
  supplier: string | undefined
  late: PurchaseOrderQuery['late']
  today: string
}

const columns = {
  newest: { column: 'newest_first', keyType: 'integer' },
  reference: { column: 'reference', keyType: 'text' },
  supplier: { column: 'supplier_key', keyType: 'text' },
  ex_factory: { column: 'ex_factory_on', keyType: 'date' },
  delivery: { column: 'delivery_on', keyType: 'date' },
} as const

export async function searchPurchaseOrders(
  db: Database,
  account: AccountId,
  search: PurchaseOrderQuery,
  today: string,
): Promise<Page> {
  const { sort = 'newest', order, take = 50 } = search
  const { column, keyType } = columns[sort]
  const after = decodeCursor(search.after, keyType)
  const filter = filterOf(search, today)
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await countMatches(db, account, 'purchase_order', criteria)
  const matches = matchesAll(db, criteria)
  const partitions = column === 'ex_factory_on' ? partitionsBy(db, 'state', filter.states) : []
  const query = { total, conditions, matches, order: columnOrder(db, column, order, { partitions }), after, take }
  return findPage(db, account, searchTables.purchase_order, query)
}

/** Which of these orders the search finds. */
export async function ordersWithin(
  db: Database,
  account: AccountId,
  search: PurchaseOrderQuery,
  { ids, today }: { ids: string[]; today: string },
): Promise<Set<string>> {
  await updateSearchIndex(db, account)
  const rows = await db<{ id: string }[]>`
    select reference as id from purchase_order_search
    where account_id = ${account} and reference = any(${ids}::text[])
      and ${matchesAll(db, criteriaOf(db, account, filterOf(search, today)))}`
  return new Set(rows.map(({ id }) => id))
}

function filterOf({ q, state, supplier, late }: PurchaseOrderQuery, today: string): Filter {
  return {
    terms: parseSearch(q),
    states: state?.split(','),
    supplier: supplier === undefined ? undefined : (sortKeyOf(supplier) ?? ''),
    late,
    today,
  }
}

function criteriaOf(db: Database, account: AccountId, filter: Filter): Criterion[] {
  const { terms, states, supplier, late, today } = filter
  return [
    ...(states ? [valueCriterion(db, account, searchTables.purchase_order, 'state', states)] : []),
    ...(supplier === undefined ? [] : [ofSupplier(db, account, supplier)]),
    ...(late === undefined ? [] : [lateOrdersCriterion(db, account, late, today)]),
    ...(terms ? [wordsCriterion(db, account, searchTables.purchase_order, terms)] : []),
  ]
}

function ofSupplier(db: Database, account: AccountId, supplier: string): Criterion {
  return indexCriterion(
    db,
    db`supplier_key = ${supplier}`,
    (selected, limit) => db`
      select ${selected} from purchase_order_search
      where account_id = ${account} and supplier_key = ${supplier}
      order by supplier_key, reference limit ${limit}`,
  )
}
