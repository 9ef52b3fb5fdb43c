import { expect, test } from 'vitest'
import { coalesced } from '../src/storage/coalesced.js'

const oneByOne = { atOnce: 1, most: 100 }

test('questions that come at once are asked together, those that come meanwhile with the next', async () => {
  const asked: number[][] = []
  let answer = () => {}
  const double = coalesced<number, number>(async (questions) => {
    asked.push(questions)
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return questions.map((question) => question * 2)
  }, oneByOne)
  const first = [double(1), double(2)]
  while (asked.length < 1) await turn()
  const later = [double(3), double(1)]
  await turn()
  expect(asked).toEqual([[1, 2]])
  answer()
  expect(await Promise.all(first)).toEqual([2, 4])
  while (asked.length < 2) await turn()
  expect(asked).toEqual([
    [1, 2],
    [3, 1],
  ])
  answer()
  expect(await Promise.all(later)).toEqual([6, 2])
})

test('a failure is told to those who asked, and the next are asked for all the same', async () => {
  let isBroken = true
  const find = coalesced<string, string>(async (questions) => {
    if (isBroken) throw new Error('away')
    return questions
  }, oneByOne)
  await expect(Promise.all([find('a'), find('b')])).rejects.toThrow('away')
  isBroken = false
  expect(await find('c')).toBe('c')
})

test('no more are on their way than may be, and none holds more than it may', async () => {
  const asked: number[][] = []
  const answers: (() => void)[] = []
  const same = coalesced<number, number>(
    async (questions) => {
      asked.push(questions)
      await new Promise<void>((resolve) => answers.push(resolve))
      return questions
    },
    { atOnce: 2, most: 2 },
  )
  const all = Promise.all([1, 2, 3, 4, 5].map(same))
  for (let count = 0; count < 5; count += 1) await turn()
  expect(asked).toEqual([
    [1, 2],
    [3, 4],
  ])
  answers[1]?.()
  while (asked.length < 3) await turn()
  expect(asked.at(-1)).toEqual([5])
  for (const answer of answers) answer()
  expect(await all).toEqual([1, 2, 3, 4, 5])
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
