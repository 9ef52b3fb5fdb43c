import type { Random } from './random.js'

/** Identifiers such as `SHP-7K3M9Q`: letters and digits that cannot be taken for one another on the telephone. */

const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const length = 6
const count = alphabet.length ** length

// Prime, and not the alphabet's length: multiples of it visit every identifier once before any comes again.
const stride = 402_653_189

export function shipmentId(number: number, random: Random): string {
  const offset = random.integer(0, count - 1)
  let value = (number * stride + offset) % count
  let code = ''
  for (let position = 0; position < length; position++) {
    code += alphabet[value % alphabet.length]
    value = Math.floor(value / alphabet.length)
  }
  return `SHP-${code}`
}
