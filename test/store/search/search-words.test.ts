import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch, sortKeyOf, tsqueryOf, wordsIn, wordsOf } from '../../../src/store/search/search-words.js'

/** Words of indexed texts and of search texts. */

test.each([
  ['Crème brûlée à la carte', ['creme', 'brulee', 'a', 'la', 'carte']],
  ['ÅRHUS–Łódź', ['arhus', 'łodz']],
  ['ﬁne ①②  ＡＢ', ['fine', '12', 'ab']],
  ['上海 到 勒阿弗尔', ['上海', '到', '勒阿弗尔']],
  [' -/.,', []],
])('the words of %j are %j', (text, words) => {
  expect(wordsIn(text)).toEqual(words)
})

test('an identifier is found by its parts, as a whole, by its digits, and without leading zeros', () => {
  expect(wordsOf({ identifiers: ['PO-00042/b', 'MSKU1234567'], names: ['Lamps 007', null] }).toSorted()).toEqual(
    ['po', '00042', '42', 'b', 'po00042b', 'msku1234567', '1234567', 'lamps', '007', '7'].toSorted(),
  )
})

test('an identifier without letters and digits has no words', () => {
  expect(wordsOf({ identifiers: ['---', '/', '…'], names: ['(!)'] })).toEqual([])
})

test('names sort without case and accents', () => {
  const names = ['Zebra', 'école', 'Eau', 'abc', 'Änderung']
  expect(names.toSorted((one, other) => ((sortKeyOf(one) ?? '') < (sortKeyOf(other) ?? '') ? -1 : 1))).toEqual([
    'abc',
    'Änderung',
    'Eau',
    'école',
    'Zebra',
  ])
  expect([sortKeyOf('---'), sortKeyOf(null), sortKeyOf(undefined)]).toEqual([undefined, undefined, undefined])
})

test('the sort key of a sort key is the key itself, even if it was truncated', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, times) => {
      const key = sortKeyOf(`${text} `.repeat(times))
      expect(sortKeyOf(key)).toBe(key)
    }),
  )
})

test('the words of a long text fit an index entry', () => {
  const long = {
    identifiers: ['x'.repeat(1_000_000)],
    names: Array.from({ length: 50_000 }, (_, n) => `𝒳名${n} ${n}é`),
  }
  const words = wordsOf(long)
  expect(words.length).toBeLessThanOrEqual(4000)
  for (const word of words) expect(Buffer.byteLength(word)).toBeLessThanOrEqual(256)
  expect(words.reduce((sum, word) => sum + Buffer.byteLength(word), 0)).toBeLessThan(1_000_000)
  expect(Buffer.byteLength(sortKeyOf('é𝒳名'.repeat(1000)) ?? '')).toBeLessThan(2000)
})

test('a query contains only quoted letters and digits, whatever the search text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (q) => {
      const sought = parseSearch(q)
      if (sought) expect(tsqueryOf(sought)).toMatch(/^'[\p{L}\p{N}\uFFFD]+':\*(?: [&|] '[\p{L}\p{N}\uFFFD]+':\*)*$/u)
    }),
    { numRuns: 2000 },
  )
})
