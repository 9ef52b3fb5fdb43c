import type { Random } from '../src/sandbox/random.js'

/** Zipf distribution: the second item is picked half as often as the first, the third a third as often, and so on. */
export function zipf(count: number, random: Random): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let index = 0; index < count; index += 1) {
    sum += 1 / (index + 1)
    sums[index] = sum
  }
  return () => firstAbove(sums, random.fraction() * sum)
}

export function uniform(count: number, random: Random): () => number {
  return () => random.integer(0, count - 1)
}

function firstAbove(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] as number
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

export function percentile(numbers: number[], share: number): number {
  const sorted = Float64Array.from(numbers).toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
