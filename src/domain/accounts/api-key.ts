/**
 * The format of a key: a prefix that people and secret scanners recognise, 192 random bits, and a checksum. The checksum
 * rejects mistyped keys without a database lookup, and lets scanners identify leaked keys with certainty.
 */

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 33
const checksumLength = 6
const body = new RegExp(`^[${digits}]{${randomLength + checksumLength}}$`)

/** Customers and operators have different prefixes, so that neither key can be mistaken for the other. */
export const prefixes = { account: 'wb_', operator: 'wb_op_' } as const
export type KeyOwner = keyof typeof prefixes

export function formatApiKey(owner: KeyOwner, randomBytes: Uint8Array): string {
  if (randomBytes.length !== 24) throw new Error('a key needs 24 random bytes')
  const number = randomBytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const start = prefixes[owner] + base62(number, randomLength)
  return start + checksum(start)
}

export function isApiKey(owner: KeyOwner, text: string): boolean {
  const prefix = prefixes[owner]
  return (
    text.startsWith(prefix) &&
    body.test(text.slice(prefix.length)) &&
    text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength))
  )
}

export function keyLength(owner: KeyOwner): number {
  return prefixes[owner].length + randomLength + checksumLength
}

/** The owner that the prefix of a text stands for. A customer's key has no second underscore. */
export function ownerByPrefix(text: string): KeyOwner | undefined {
  if (text.startsWith(prefixes.operator)) return 'operator'
  return text.startsWith(prefixes.account) ? 'account' : undefined
}

function checksum(text: string): string {
  let digitsOf = ''
  for (let rest = crc32(text); digitsOf.length < checksumLength; rest = Math.floor(rest / 62)) {
    digitsOf = digits.charAt(rest % 62) + digitsOf
  }
  return digitsOf
}

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(ascii: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < ascii.length; index += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ ascii.charCodeAt(index)) & 0xff] as number)
  }
  return (crc ^ 0xffffffff) >>> 0
}
