import { isSimpleDate } from '../../contract/formats.js'
import { invalid } from '../../contract/refusals.js'

/** A position in a sorted list, after which the next page begins. */
export type Cursor = {
  /** The sort key; null for a row without one: those come last. */
  key: string | number | null
  id: string
  /** How many rows the pages before had. */
  before: number
}

export type KeyType = 'integer' | 'days' | 'date' | 'text'

export function encodeCursor({ key, id, before }: Cursor): string {
  return Buffer.from(JSON.stringify([key, id, before])).toString('base64url')
}

/** Refuses a cursor that belongs to another order, or is not one. */
export function decodeCursor(
  after: string | undefined,
  type: KeyType,
  isId: (id: string) => boolean = isText,
): Cursor | undefined {
  if (after === undefined) return undefined
  const [key, id, before, ...rest] = partsOf(after)
  const isCursor = rest.length === 0 && isCount(before) && isText(id) && isId(id)
  if (isCursor && (key === null || isKey[type](key))) return { key, id, before }
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

// More than lie between any two dates; PostgreSQL adds to it in an `integer`.
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
