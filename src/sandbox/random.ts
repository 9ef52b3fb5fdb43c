/** A seeded random number generator: the same seed gives the same sequence, on every machine. */

export type Random = {
  /** At least 0, less than 1. */
  fraction(): number
  /** An integer, both ends included. */
  integer(least: number, most: number): number
  /** A number between the ends, rounded to a number of decimals. */
  decimal(least: number, most: number, decimals?: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  weighted<Item>(choices: readonly (readonly [item: Item, weight: number])[]): Item
  digits(count: number): string
  uuid(): string
  // An independent stream: it does not depend on what was drawn from this one before.
  stream(name: string | number): Random
}

export function createRandom(seed: string): Random {
  const next = smallFastCounter(seed)
  const fraction = () => next() / 4_294_967_296
  const integer = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1))
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(fraction() * items.length)] as Item

  return {
    fraction,
    integer,
    pick,
    decimal: (least, most, decimals = 2) => {
      const factor = 10 ** decimals
      return Math.round((least + fraction() * (most - least)) * factor) / factor
    },
    chance: (probability) => fraction() < probability,
    weighted: (choices) => {
      let left = fraction() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of choices) {
        left -= weight
        if (left < 0) return item
      }
      return choices[choices.length - 1]![0]
    },
    digits: (count) => String(integer(0, 10 ** count - 1)).padStart(count, '0'),
    uuid: () => {
      const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('')
      const variant = '89ab'[integer(0, 3)]
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `${variant}${hex.slice(17, 20)}`,
        hex.slice(20),
      ].join('-')
    },
    stream: (name) => createRandom(`${seed}/${name}`),
  }
}

// sfc32 (Chris Doty-Humphrey, PractRand, public domain): 128 bits of state, fast on 32-bit integers.
function smallFastCounter(seed: string): () => number {
  let a = hash(seed, 0x9e3779b9)
  let b = hash(seed, 0x243f6a88)
  let c = hash(seed, 0xb7e15162)
  let counter = 1
  const next = () => {
    const result = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + result) | 0
    return result >>> 0
  }
  // Warm-up rounds, so that similar seeds give unrelated streams.
  for (let round = 0; round < 12; round++) next()
  return next
}

// FNV-1a over the UTF-16 units, with a final multiply and shift to mix all bits.
function hash(text: string, basis: number): number {
  let value = basis
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) | 0
}
