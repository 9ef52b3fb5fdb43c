import type { Reader } from '../database.js'
import type { AccountId } from '../transaction.js'
import { longestWalk } from './page.js'
import { sortKeyOf, wordsIn } from './words.js'

/** Whom orders were placed with: from one supplier to the next along their index, however many orders each has. */

// As long as a filter may be.
const longestName = 255

/** Those that have all the words, by name: first those that begin with what was typed. */
export async function findSuppliers(
  db: Reader,
  account: AccountId,
  q: string | undefined,
  limit: number,
): Promise<string[]> {
  const words = wordsIn(q ?? '')
  const beginning = sortKeyOf(q) ?? ''
  const first = await walkSuppliers(db, account, { beginning, words, limit })
  if (beginning === '' || first.length === limit) return first.map(nameOf)
  const others = await walkSuppliers(db, account, { beginning: '', words, limit })
  const known = new Set(first.map(({ key }) => key))
  return [...first, ...others.filter(({ key }) => !known.has(key))].slice(0, limit).map(nameOf)
}

type Supplier = { key: string; name: string }

// One name is as good as another of the same key, but for one that is too long to be asked for.
function nameOf({ key, name }: Supplier): string {
  return name.length > longestName ? key : name
}

type Wish = { beginning: string; words: string[]; limit: number }

// A recursion is followed only as far as its rows are wanted. Keys are words with a space between them.
async function walkSuppliers(db: Reader, account: AccountId, { beginning, words, limit }: Wish): Promise<Supplier[]> {
  const end = `${beginning}\u{10FFFF}`
  return db<Supplier[]>`
    with recursive walked (key, place) as (
      (select supplier_key, 1 from purchase_order_search
      where account_id = ${account} and supplier_key >= ${beginning} and supplier_key < ${end}
      order by supplier_key limit 1)
      union all
      select further.supplier_key, place + 1 from walked cross join lateral (
        select supplier_key from purchase_order_search
        where account_id = ${account} and supplier_key > walked.key and supplier_key < ${end}
        order by supplier_key limit 1
      ) further
      where place < ${longestWalk}
    )
    select key, name
    from (
      select key from walked where ' ' || key like all(${words.map((word) => `% ${word}%`)}::text[]) limit ${limit}
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
