import { closeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openWritesFile, SharedWrites } from '../src/storage/shared-writes.js'

/** What the processes of a crew tell each other of their writes. */

function crewOf(posts: number) {
  const file = openWritesFile(posts)
  onTestFinished(() => closeSync(file.descriptor))
  return { take: (post: number) => new SharedWrites(file, post) }
}

test('what one writes, all see: while it is written and afterwards', () => {
  const { take } = crewOf(3)
  const [one, two, three] = [take(0), take(1), take(2)] as const
  expect([one, two, three].map((each) => each.countOf(7))).toEqual([0, 0, 0])
  const end = two.begin([7])
  expect([one, two, three].map((each) => each.countOf(7))).toEqual([undefined, undefined, undefined])
  expect([one, two, three].map((each) => each.countOf(8))).toEqual([0, 0, 0])
  end()
  expect([one, two, three].map((each) => each.countOf(7))).toEqual([1, 1, 1])
  one.begin([7])()
  expect([one, two, three].map((each) => each.countOf(7))).toEqual([2, 2, 2])
})

test('an account is counted as often as it is named, and two that write at once both count', () => {
  const { take } = crewOf(2)
  const [one, two] = [take(0), take(1)] as const
  const endOne = one.begin([7, 7, 9])
  const endTwo = two.begin([7])
  endOne()
  expect(one.countOf(7)).toBeUndefined()
  expect(one.countOf(9)).toBe(1)
  endTwo()
  expect(one.countOf(7)).toBe(3)
})

test('a write to any account is one to each', () => {
  const { take } = crewOf(2)
  const [one, two] = [take(0), take(1)] as const
  one.begin([7])()
  const end = one.begin('any')
  expect([two.countOf(7), two.countOf(123_456)]).toEqual([undefined, undefined])
  end()
  expect([two.countOf(7), two.countOf(123_456)]).toEqual([2, 1])
})

test('accounts that share a place are never taken for unchanged', () => {
  const { take } = crewOf(2)
  const [one, two] = [take(0), take(1)] as const
  const accounts = Array.from({ length: 40_000 }, (_, index) => index + 1)
  one.begin([accounts.length])()
  expect(two.countOf(accounts.length)).toBe(1)
  expect(accounts.filter((account) => two.countOf(account) === 1).length).toBeLessThan(5)
})

test('whoever takes a post over counts on, and what was left there is under way until it is settled', () => {
  const { take } = crewOf(2)
  const [before, other] = [take(0), take(1)] as const
  before.begin([7])()
  before.begin([7, 9])
  before.begin('any')
  const after = take(0)
  expect(after.isSettled).toBe(false)
  expect([other.countOf(7), other.countOf(1)]).toEqual([undefined, undefined])
  after.begin([7])()
  expect(other.countOf(7)).toBeUndefined()
  after.settle()
  expect(after.isSettled).toBe(true)
  expect([other.countOf(7), after.countOf(7)]).toEqual([4, 4])
  expect([other.countOf(9), other.countOf(1)]).toEqual([2, 1])
  expect(take(0).isSettled).toBe(true)
})
