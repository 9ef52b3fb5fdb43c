import { expect, test } from 'vitest'
import { batcher } from '../../src/database/batcher.js'

const oneByOne = { concurrency: 1, size: 100 }

test('concurrent requests share a batch, and requests that arrive meanwhile share the next one', async () => {
  const requested: number[][] = []
  let response = () => {}
  const double = batcher<number, number>(async (questions) => {
    requested.push(questions)
    await new Promise<void>((resolve) => {
      response = resolve
    })
    return questions.map((question) => question * 2)
  }, oneByOne)
  const first = [double(1), double(2)]
  while (requested.length < 1) await turn()
  const later = [double(3), double(1)]
  await turn()
  expect(requested).toEqual([[1, 2]])
  response()
  expect(await Promise.all(first)).toEqual([2, 4])
  while (requested.length < 2) await turn()
  expect(requested).toEqual([
    [1, 2],
    [3, 1],
  ])
  response()
  expect(await Promise.all(later)).toEqual([6, 2])
})

test('a failure rejects the requests of its batch, and the next batch is loaded', async () => {
  let isBroken = true
  const find = batcher<string, string>(async (questions) => {
    if (isBroken) throw new Error('away')
    return questions
  }, oneByOne)
  await expect(Promise.all([find('a'), find('b')])).rejects.toThrow('away')
  isBroken = false
  expect(await find('c')).toBe('c')
})

test('batches respect the limits of concurrency and size', async () => {
  const requested: number[][] = []
  const responses: (() => void)[] = []
  const same = batcher<number, number>(
    async (questions) => {
      requested.push(questions)
      await new Promise<void>((resolve) => responses.push(resolve))
      return questions
    },
    { concurrency: 2, size: 2 },
  )
  const all = Promise.all([1, 2, 3, 4, 5].map(same))
  for (let count = 0; count < 5; count += 1) await turn()
  expect(requested).toEqual([
    [1, 2],
    [3, 4],
  ])
  responses[1]?.()
  while (requested.length < 3) await turn()
  expect(requested.at(-1)).toEqual([5])
  for (const response of responses) response()
  expect(await all).toEqual([1, 2, 3, 4, 5])
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
