import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapInSlices } from '../../src/jobs/in-slices.js'

test('however many long jobs there are, one goes on in each turn of the event loop', async () => {
  let turn = 0
  const turnsOfSteps: number[] = []
  const step = () => {
    turnsOfSteps.push(turn)
    // Longer than a slice.
    for (const began = performance.now(); performance.now() - began < 6; );
  }
  let isDone = false
  const jobs = Promise.all(Array.from({ length: 10 }, () => mapInSlices([1, 2, 3], step))).then(() => {
    isDone = true
  })
  while (!isDone) {
    await setImmediate()
    turn += 1
  }
  await jobs
  // All of them begin at once.
  const later = turnsOfSteps.slice(10)
  expect(later).toHaveLength(20)
  expect(new Set(later).size).toBe(20)
})
