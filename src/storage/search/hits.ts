import type { Database } from '../database.js'
import type { AccountId } from '../transaction.js'
import { hasWords, havingWord, havingWords } from './criteria.js'
import { measure } from './measuring.js'
import { type Condition, findPage, longestWalk } from './page.js'
import { listed, type SearchedKind, searchedKinds } from './searched.js'
import { columnOrder, type Order } from './walk.js'
import { queryOf, type Sought, soughtIn } from './words.js'

export type Hit = { kind: SearchedKind; id: string; body: string }

type Measured = { kind: SearchedKind; prefixed: Condition; exact: Condition }

/** The first of each kind that words find: those that have the very word before others, and the newest first. */
export async function findHits(db: Database, account: AccountId, q: string, take: number): Promise<Hit[]> {
  const sought = soughtIn(q)
  if (!sought) return []
  const criteria = searchedKinds.flatMap((kind) => [
    havingWords(db, account, listed[kind], sought),
    havingWord(db, account, listed[kind], wholeOf(sought)),
  ])
  const { conditions } = await measure(db, account, 'shipment', criteria)
  const found = searchedKinds.map((kind, index) => {
    const [prefixed, exact] = conditions.slice(2 * index) as [Condition, Condition]
    return findOfKind(db, account, sought, { kind, prefixed, exact }, take)
  })
  return (await Promise.all(found)).flat()
}

export function wholeOf({ words, whole }: Sought): string {
  return whole ?? (words[0] as string)
}

async function findOfKind(
  db: Database,
  account: AccountId,
  sought: Sought,
  { kind, prefixed, exact }: Measured,
  take: number,
): Promise<Hit[]> {
  if (prefixed.size === 0) return []
  const order = columnOrder(db, 'newest_first', undefined)
  const matches = hasWords(db, queryOf(sought))
  const hasWord = hasWords(db, `'${wholeOf(sought)}'`)
  const hitsOf = async (condition: Condition, by: Order) => {
    const wish = { total: longestWalk + 1, conditions: [condition], matches, order: by, after: undefined, take }
    const { ids, bodies } = await findPage(db, account, listed[kind], wish)
    return ids.map((id, index) => ({ kind, id, body: bodies[index] as string }))
  }
  if (prefixed.isWhole) return hitsOf(prefixed, { ...order, key: db`row (not ${hasWord}, newest_first)` })
  const best = exact.size > 0 && exact.isWhole ? await hitsOf(exact, order) : []
  if (best.length === take) return best
  const others = await hitsOf(prefixed, order)
  const known = new Set(best.map(({ id }) => id))
  return [...best, ...others.filter(({ id }) => !known.has(id))].slice(0, take)
}
