import { expect, test } from 'vitest'
import { coalesced } from '../src/storage/coalesced.js'

test('questions that come at once are asked together, those that come meanwhile with the next', async () => {
  const asked: number[][] = []
  let answer = () => {}
  const double = coalesced<number, number>(async (questions) => {
    asked.push(questions)
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return questions.map((question) => question * 2)
  })
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
  })
  await expect(Promise.all([find('a'), find('b')])).rejects.toThrow('away')
  isBroken = false
  expect(await find('c')).toBe('c')
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
