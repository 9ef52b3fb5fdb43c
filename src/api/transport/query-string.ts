import { Refusal } from '../../contract/refusals.js'

// No operation takes a tenth of that. Saved views and callbacks of sign-in providers have the longest queries.
const maxPairs = 50
const maxLength = 8 * 1024

type Query = Record<string, unknown>

/** Stand for query strings that are refused: the router must not throw, so `refuseUnreadable` does that later. */
const malformed: Query = Object.freeze({})
const tooMany: Query = Object.freeze({})
const tooLong: Query = Object.freeze({})

/** What follows the first `?` of an address: others are part of a value. */
export function queryIn(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** Parses a query string strictly: `%zz` and invalid UTF-8 are errors. Repeated names become arrays, which no operation takes. */
export function parseQueryString(text: string): Query {
  const values: Record<string, string | string[]> = {}
  if (text === '') return values
  if (text.length > maxLength) return tooLong
  const pairs = text.split('&', maxPairs + 1)
  if (pairs.length > maxPairs) return tooMany
  try {
    for (const pair of pairs) {
      if (pair === '') continue
      const separator = pair.indexOf('=')
      const name = decode(separator < 0 ? pair : pair.slice(0, separator))
      const value = separator < 0 ? '' : decode(pair.slice(separator + 1))
      const before = Object.hasOwn(values, name) ? values[name] : undefined
      Object.defineProperty(values, name, {
        value: before === undefined ? value : [before, value].flat(),
        enumerable: true,
        configurable: true,
      })
    }
    return values
  } catch {
    return malformed
  }
}

export function refuseUnreadable(query: unknown): void {
  if (query === malformed) throw new Refusal('malformed_request', 'The query is not valid percent-encoded UTF-8.')
  if (query === tooMany) throw new Refusal('malformed_request', `The query has more than ${maxPairs} parameters.`)
  if (query === tooLong) throw new Refusal('headers_too_large', `The query is longer than ${maxLength} characters.`)
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
