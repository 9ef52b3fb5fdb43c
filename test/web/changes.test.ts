import { expect, test } from 'vitest'
import { type Seen, seenWith, type Version } from '../../web/ui/use-changes.js'

/** Which rows of a list are marked, by what it showed one after the other. */

function marksAfter(...shown: { list?: string; rows: Version[]; isComplete?: boolean }[]) {
  let seen: Seen | undefined
  for (const { list = 'open', rows, isComplete = true } of shown)
    seen = seenWith(seen, { list, versions: rows, isComplete })
  return Object.fromEntries(seen?.marks ?? [])
}

test('nothing is marked at first, then what came and what has changed', () => {
  const before: Version[] = [
    ['a', '1'],
    ['b', '1'],
  ]
  expect(marksAfter({ rows: before })).toEqual({})
  const rows: Version[] = [
    ['c', '1'],
    ['a', '2'],
    ['b', '1'],
  ]
  expect(marksAfter({ rows: before }, { rows })).toEqual({ c: 'new', a: 'changed' })
  expect(marksAfter({ rows: before }, { rows }, { rows })).toEqual({ c: 'new', a: 'changed' })
  expect(marksAfter({ rows: before }, { rows }, { list: 'overdue', rows })).toEqual({})
})

test('a row that was on a later page is not new, and neither is one that comes back', () => {
  const rows: Version[] = [
    ['a', '1'],
    ['b', '1'],
  ]
  expect(marksAfter({ rows, isComplete: false }, { rows: [...rows, ['c', '1']], isComplete: false })).toEqual({})
  expect(marksAfter({ rows }, { rows: [['b', '1']] }, { rows })).toEqual({})
})

test('an unchanged list is the same object, so that a page does not render again', () => {
  const shown = { list: 'open', versions: [['a', '1']] as Version[], isComplete: true }
  const seen = seenWith(undefined, shown)
  expect(seenWith(seen, shown)).toBe(seen)
  // Also where a row is on two pages, each with another version.
  const twice = { ...shown, versions: [...shown.versions, ['a', '2']] as Version[] }
  const marked = seenWith(seen, twice)
  expect(Object.fromEntries(marked.marks)).toEqual({ a: 'changed' })
  expect(seenWith(marked, twice)).toBe(marked)
})
