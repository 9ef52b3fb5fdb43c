import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { matchesWords, wordCriterion, wordsCriterion } from './criteria.js'
import { columnOrder, type Order } from './index-scan.js'
import { countMatches } from './match-counts.js'
import { findPage, longestScan, type SearchCondition } from './page.js'
import { type SearchedKind, searchedKinds, searchTables } from './search-tables.js'
import { parseSearch, type SearchTerms, tsqueryOf } from './search-words.js'

export type Hit = { kind: SearchedKind; id: string; body: string }

type CountedKind = { kind: SearchedKind; prefixed: SearchCondition; exact: SearchCondition }

/** The first matches of each kind: exact matches of the word before prefixes, and the newest first. */
export async function findHits(db: Database, account: AccountId, q: string, take: number): Promise<Hit[]> {
  const terms = parseSearch(q)
  if (!terms) return []
  const criteria = searchedKinds.flatMap((kind) => [
    wordsCriterion(db, account, searchTables[kind], terms),
    wordCriterion(db, account, searchTables[kind], joinedTerms(terms)),
  ])
  const { conditions } = await countMatches(db, account, 'shipment', criteria)
  const found = searchedKinds.map((kind, index) => {
    const [prefixed, exact] = conditions.slice(2 * index) as [SearchCondition, SearchCondition]
    return findOfKind(db, account, terms, { kind, prefixed, exact }, take)
  })
  return (await Promise.all(found)).flat()
}

/** The search text as one word. */
export function joinedTerms({ words, joined }: SearchTerms): string {
  return joined ?? (words[0] as string)
}

async function findOfKind(
  db: Database,
  account: AccountId,
  terms: SearchTerms,
  { kind, prefixed, exact }: CountedKind,
  take: number,
): Promise<Hit[]> {
  if (prefixed.size === 0) return []
  const order = columnOrder(db, 'newest_first', undefined)
  const matches = matchesWords(db, tsqueryOf(terms))
  const hasWord = matchesWords(db, `'${joinedTerms(terms)}'`)
  const hitsOf = async (condition: SearchCondition, by: Order) => {
    const query = { total: longestScan + 1, conditions: [condition], matches, order: by, after: undefined, take }
    const { ids, bodies } = await findPage(db, account, searchTables[kind], query)
    return ids.map((id, index) => ({ kind, id, body: bodies[index] as string }))
  }
  if (prefixed.isComplete) return hitsOf(prefixed, { ...order, key: db`row (not ${hasWord}, newest_first)` })
  const best = exact.size > 0 && exact.isComplete ? await hitsOf(exact, order) : []
  if (best.length === take) return best
  const others = await hitsOf(prefixed, order)
  const known = new Set(best.map(({ id }) => id))
  return [...best, ...others.filter(({ id }) => !known.has(id))].slice(0, take)
}
