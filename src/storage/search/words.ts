/** What texts come to when they are looked for: words without case and accents, and without whatever separates them. */

// An index entry has limits, and so has what people type. The words of a thing fit a `tsvector` (1 MB) at their longest.
const longestWord = 64
const longestKey = 255
const mostWords = 4000

export type Texts = {
  /** Also found as one word without separators, and by a number within. */
  identifiers: (string | null)[]
  names: (string | null)[]
  /** Words as they are, that nobody can type. */
  marks?: string[]
}

export function wordsIn(text: string): string[] {
  // Most texts are plain, and the rules of Unicode cost ten times as much.
  const words = isPlain.test(text) ? text.toLowerCase().split(/[^a-z\d]+/) : unaccented(text).split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word !== '')
}

const isPlain = /^[ -~]*$/

// NFKD takes accents apart from their letters, and widths and ligatures to what they stand for.
function unaccented(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}

/** What a text is sorted by: its words. Undefined: it has none. A key is its own key. */
export function sortKeyOf(text: string | null | undefined): string | undefined {
  const key = wordsIn(text ?? '').join(' ')
  // It may be cut within a character that has two halves, or behind a word.
  const cutKey = key.slice(0, longestKey).replace(/[\uD800-\uDBFF]$/, '')
  return cutKey.trimEnd() || undefined
}

/** All words that a thing is found by. */
export function wordsOf({ identifiers, names, marks = [] }: Texts): string[] {
  const words = new Set(marks)
  for (const text of identifiers) if (text !== null) for (const word of identifierWords(text)) words.add(cut(word))
  for (const text of names) if (text !== null) for (const word of nameWords(text)) words.add(cut(word))
  return [...words].slice(0, mostWords)
}

function nameWords(text: string): string[] {
  return wordsIn(text).flatMap(withoutZeros)
}

// People know a container by its digits, and an order as 42 that is PO-00042 in full.
function identifierWords(text: string): string[] {
  const parts = wordsIn(text)
  // Nothing but separators: no word can be empty.
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

/** What was typed: the beginnings of words that all have to occur, or else of one that was typed with gaps. */
export type Sought = { words: string[]; whole: string | undefined }

/** Undefined when no word was typed. */
export function soughtIn(q: string | undefined): Sought | undefined {
  const words = [...new Set(wordsIn(q ?? '').map(cut))]
  if (words.length === 0) return undefined
  return { words, whole: words.length > 1 ? cut(wordsIn(q ?? '').join('')) : undefined }
}

/** The same as a `tsquery`. Words hold nothing but letters and digits: nothing in it has a meaning of its own. */
export function queryOf({ words, whole }: Sought): string {
  const all = words.map((word) => beginning(word)).join(' & ')
  return whole === undefined ? all : `${all} | ${beginning(whole)}`
}

/** A `tsquery` of words that begin so. */
export function beginning(word: string): string {
  return `'${word}':*`
}
