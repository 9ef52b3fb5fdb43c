import { isSimpleDate } from '../../contract/formats.js'
import { invalid } from '../../contract/refusals.js'

/** A place in an order, from where a list goes on. */
export type Place = {
  /** What is sorted by; null: nothing, such things come last. */
  key: string | number | null
  id: string
  /** How many were found before. */
  before: number
}

export type KeyType = 'integer' | 'days' | 'date' | 'text'

export function cursorOf({ key, id, before }: Place): string {
  return Buffer.from(JSON.stringify([key, id, before])).toString('base64url')
}

/** A cursor may come from a list in another order, or from anywhere. */
export function placeOf(
  after: string | undefined,
  type: KeyType,
  isId: (id: string) => boolean = isText,
): Place | undefined {
  if (after === undefined) return undefined
  const [key, id, before, ...rest] = partsOf(after)
  const isPlace = rest.length === 0 && isCount(before) && isText(id) && isId(id)
  if (isPlace && (key === null || isKey[type](key))) return { key, id, before }
  throw invalid([{ pointer: '/after', detail: 'must be `next` of the page before, with the same order' }])
}

function partsOf(after: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

// Fewer lie between any two dates. The database counts them in an `integer`, and with some more.
const mostDays = 10_000_000

const isKey: Record<KeyType, (key: unknown) => key is string | number> = {
  integer: (key): key is number => Number.isSafeInteger(key),
  days: (key): key is number => Number.isInteger(key) && Math.abs(key as number) <= mostDays,
  date: (key): key is string => typeof key === 'string' && isSimpleDate(key),
  text: isText,
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
