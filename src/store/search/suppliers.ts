import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { longestScan } from './page.js'
import { sortKeyOf, wordsIn } from './search-words.js'

/** The distinct suppliers of purchase orders: a loose index scan that skips from one supplier to the next. */

// As long as a filter may be.
const longestName = 255

/** Suppliers that have all words, by name: first those that begin with the search text. */
export async function findSuppliers(
  db: Reader,
  account: AccountId,
  q: string | undefined,
  limit: number,
): Promise<string[]> {
  const words = wordsIn(q ?? '')
  const prefix = sortKeyOf(q) ?? ''
  const first = await scanSuppliers(db, account, { prefix, words, limit })
  if (prefix === '' || first.length === limit) return first.map(nameOf)
  const others = await scanSuppliers(db, account, { prefix: '', words, limit })
  const known = new Set(first.map(({ key }) => key))
  return [...first, ...others.filter(({ key }) => !known.has(key))].slice(0, limit).map(nameOf)
}

type Supplier = { key: string; name: string }

// All names with the same key find the same orders, but a long one would exceed the limit of the filter.
function nameOf({ key, name }: Supplier): string {
  return name.length > longestName ? key : name
}

type SupplierQuery = { prefix: string; words: string[]; limit: number }

// PostgreSQL evaluates the recursion only as far as its rows are needed. Keys are words separated by spaces.
async function scanSuppliers(
  db: Reader,
  account: AccountId,
  { prefix, words, limit }: SupplierQuery,
): Promise<Supplier[]> {
  const end = `${prefix}\u{10FFFF}`
  return db<Supplier[]>`
    with recursive scanned (key, place) as (
      (select supplier_key, 1 from purchase_order_search
      where account_id = ${account} and supplier_key >= ${prefix} and supplier_key < ${end}
      order by supplier_key limit 1)
      union all
      select further.supplier_key, place + 1 from scanned cross join lateral (
        select supplier_key from purchase_order_search
        where account_id = ${account} and supplier_key > scanned.key and supplier_key < ${end}
        order by supplier_key limit 1
      ) further
      where place < ${longestScan}
    )
    select key, name
    from (
      select key from scanned where ' ' || key like all(${words.map((word) => `% ${word}%`)}::text[]) limit ${limit}
    ) found
    cross join lateral (
      select reference from purchase_order_search
      where account_id = ${account} and supplier_key = key order by supplier_key, reference limit 1
    ) placed
    cross join lateral (
      select body::jsonb ->> 'supplier_name' as name from purchase_orders
      where account_id = ${account} and reference = placed.reference offset 0
    ) shown
    order by key`
}
