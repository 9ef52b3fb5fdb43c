import { findHits, type Hit, joinedTerms } from '../../store/search/hits.js'
import { searchedKinds } from '../../store/search/search-tables.js'
import { parseSearch, type SearchTerms, wordsIn, wordsOf } from '../../store/search/search-words.js'
import type { PortalHandler } from '../portal-context.js'
import { describeBody, type SearchHit } from './hit-description.js'

/** The search box of the portal: the best matches of all kinds. */
export const search: PortalHandler<'search'> = async ({ db, account }, { query: { q, take = 5 } }) => {
  const terms = parseSearch(q)
  if (!terms) return { hits: [] }
  const described = (await findHits(db, account, q, mostConsidered)).map((hit) => describe(hit, terms))
  // An exact match of an identifier comes first, whatever its kind; then what is still under way, such as the orders of a SKU.
  const sorted = described.toSorted((one, other) => one.rank - other.rank || Number(one.isOver) - Number(other.isOver))
  const hits = new Set(searchedKinds.flatMap((kind) => sorted.filter(({ hit }) => hit.kind === kind).slice(0, take)))
  return { hits: sorted.filter((each) => hits.has(each)).map(({ hit }) => hit) }
}

// Of each kind. Of more matches, the newest ones.
const mostConsidered = 20

type Described = { hit: SearchHit; rank: number; isOver: boolean }

function describe({ kind, id, body }: Hit, terms: SearchTerms): Described {
  const { title, identifiers, names, otherwise, shipment, isOver = false } = describeBody(kind, body)
  const isExact = (text: string | undefined) => text !== undefined && wordsIn(text).join('') === joinedTerms(terms)
  const known = [...identifiers, ...names].flatMap((text) => text ?? [])
  const detail = known.find((text) => text !== title && isMatch(text, terms)) ?? otherwise
  return {
    hit: {
      kind,
      id,
      title,
      ...(detail !== undefined && { detail }),
      ...(shipment !== undefined && { svc_shipment_id: shipment }),
    },
    // 0: its own identifier matches exactly; 1: another identifier does; 2: only a prefix matches.
    isOver,
    rank: isExact(id) || isExact(title) ? 0 : identifiers.some(isExact) ? 1 : 2,
  }
}

function isMatch(text: string, { words, joined }: SearchTerms): boolean {
  const own = wordsOf({ identifiers: [text], names: [] })
  return [...words, ...(joined === undefined ? [] : [joined])].some((word) => own.some((each) => each.startsWith(word)))
}
