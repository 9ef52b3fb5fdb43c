/** Splits texts into searchable words: without case, accents and separators. */

// Limits of an index entry. The words of a resource fit a `tsvector` (1 MB) at their longest.
const longestWord = 64
const longestKey = 255
const mostWords = 4000

export type SearchTexts = {
  /** Also found as one word without separators, and by the numbers in them. */
  identifiers: (string | null)[]
  names: (string | null)[]
  /** Indexed verbatim; a search text cannot contain them. */
  marks?: string[]
}

export function wordsIn(text: string): string[] {
  // Most texts are ASCII; the Unicode path takes ten times as long.
  const words = isPlain.test(text) ? text.toLowerCase().split(/[^a-z\d]+/) : unaccented(text).split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word !== '')
}

const isPlain = /^[ -~]*$/

// NFKD separates accents from their letters, and replaces full-width forms and ligatures.
function unaccented(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}

/** The sort key of a text: its words. Undefined if it has none. The key of a key is the key itself. */
export function sortKeyOf(text: string | null | undefined): string | undefined {
  const key = wordsIn(text ?? '').join(' ')
  // The cut may split a surrogate pair, or follow a word.
  const cutKey = key.slice(0, longestKey).replace(/[\uD800-\uDBFF]$/, '')
  return cutKey.trimEnd() || undefined
}

/** All words that a resource is found by. */
export function wordsOf({ identifiers, names, marks = [] }: SearchTexts): string[] {
  const words = new Set(marks)
  for (const text of identifiers) if (text !== null) for (const word of identifierWords(text)) words.add(cut(word))
  for (const text of names) if (text !== null) for (const word of nameWords(text)) words.add(cut(word))
  return [...words].slice(0, mostWords)
}

function nameWords(text: string): string[] {
  return wordsIn(text).flatMap(withoutZeros)
}

// People search a container by its digits, and order PO-00042 as 42.
function identifierWords(text: string): string[] {
  const parts = wordsIn(text)
  if (parts.length === 0) return []
  const numbers = parts.flatMap((part) => part.match(/\d{4,}/g) ?? [])
  return [...parts, ...numbers].flatMap(withoutZeros).concat(parts.join(''))
}

function withoutZeros(word: string): string[] {
  return /^0+\d+$/.test(word) ? [word, word.replace(/^0+(?=\d)/, '')] : [word]
}

function cut(word: string): string {
  return word.length > longestWord ? word.slice(0, longestWord).toWellFormed() : word
}

/** A search text: prefixes of words that must all occur, or the prefix of one word that was typed with separators. */
export type SearchTerms = { words: string[]; joined: string | undefined }

/** Undefined if the text has no word. */
export function parseSearch(q: string | undefined): SearchTerms | undefined {
  const words = [...new Set(wordsIn(q ?? '').map(cut))]
  if (words.length === 0) return undefined
  return { words, joined: words.length > 1 ? cut(wordsIn(q ?? '').join('')) : undefined }
}

/** The terms as a `tsquery`. Words consist of letters and digits, so nothing has to be escaped. */
export function tsqueryOf({ words, joined }: SearchTerms): string {
  const all = words.map((word) => prefixQuery(word)).join(' & ')
  return joined === undefined ? all : `${all} | ${prefixQuery(joined)}`
}

/** A `tsquery` for words with this prefix. */
export function prefixQuery(word: string): string {
  return `'${word}':*`
}
