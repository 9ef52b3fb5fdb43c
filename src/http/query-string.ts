/** What a query string that cannot be decoded is read as: the router must not throw, the request is refused later. */
export const malformedQuery: Record<string, unknown> = Object.freeze({})

/** Values of a query string, decoded strictly: `%zz` or bytes that are no UTF-8 are an error, not a guess. */
export function parseQueryString(text: string): Record<string, unknown> {
  const values: Record<string, string | string[]> = {}
  if (text === '') return values
  try {
    for (const pair of text.split('&')) {
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
    return malformedQuery
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
