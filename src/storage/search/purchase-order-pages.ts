import type { PortalQuery } from '../../contract/portal/operations.js'
import type { Database } from '../database.js'
import type { AccountId } from '../transaction.js'
import { answering, havingValue, havingWords, matchingAll } from './criteria.js'
import { placeOf } from './cursor.js'
import { type Criterion, measure } from './measuring.js'
import { findPage, type Page } from './page.js'
import { listed } from './searched.js'
import { columnOrder, togetherBy } from './walk.js'
import { type Sought, sortKeyOf, soughtIn } from './words.js'

/** Purchase orders as people look for them. */

export type OrderSearch = PortalQuery<'findPurchaseOrders'>

type Filter = {
  sought: Sought | undefined
  states: string[] | undefined
  /** As it is sorted by: people do not care about case. */
  supplier: string | undefined
}

const columns = {
  newest: { column: 'newest_first', keyType: 'integer' },
  reference: { column: 'reference', keyType: 'text' },
  supplier: { column: 'supplier_key', keyType: 'text' },
  ex_factory: { column: 'ex_factory_on', keyType: 'date' },
  delivery: { column: 'delivery_on', keyType: 'date' },
} as const

export async function findOrderPage(db: Database, account: AccountId, search: OrderSearch): Promise<Page> {
  const { sort = 'newest', order, take = 50 } = search
  const { column, keyType } = columns[sort]
  const after = placeOf(search.after, keyType)
  const filter = {
    sought: soughtIn(search.q),
    states: search.state?.split(','),
    supplier: search.supplier === undefined ? undefined : (sortKeyOf(search.supplier) ?? ''),
  }
  const criteria = criteriaOf(db, account, filter)
  const { total, conditions } = await measure(db, account, 'purchase_order', criteria)
  const matches = matchingAll(db, criteria)
  const together = column === 'ex_factory_on' ? togetherBy(db, 'state', filter.states) : undefined
  const wish = { total, conditions, matches, order: columnOrder(db, column, order, { together }), after, take }
  return findPage(db, account, listed.purchase_order, wish)
}

function criteriaOf(db: Database, account: AccountId, { sought, states, supplier }: Filter): Criterion[] {
  return [
    ...(states ? [havingValue(db, account, listed.purchase_order, 'state', states)] : []),
    ...(supplier === undefined ? [] : [ofSupplier(db, account, supplier)]),
    ...(sought ? [havingWords(db, account, listed.purchase_order, sought)] : []),
  ]
}

function ofSupplier(db: Database, account: AccountId, supplier: string): Criterion {
  return answering(
    db,
    db`supplier_key = ${supplier}`,
    (selected, limit) => db`
      select ${selected} from purchase_order_search
      where account_id = ${account} and supplier_key = ${supplier}
      order by supplier_key, reference limit ${limit}`,
  )
}
