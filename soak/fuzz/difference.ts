/** Where a value lacks a part, or differs from it; additional fields are ignored. */
export function difference(whole: unknown, part: unknown, pointer = ''): string | undefined {
  // A removed field is missing or null.
  if (part === null || part === undefined) {
    return whole === undefined || whole === null ? undefined : `${pointer} is ${shown(whole)} instead of nothing`
  }
  if (typeof part !== 'object') {
    return whole === part ? undefined : `${pointer} is ${shown(whole)} instead of ${shown(part)}`
  }
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole) !== Array.isArray(part)) {
    return `${pointer} is ${shown(whole)} instead of ${shown(part)}`
  }
  if (Array.isArray(part) && (whole as unknown[]).length !== part.length) {
    return `${pointer} has ${(whole as unknown[]).length} entries instead of ${part.length}`
  }
  for (const [name, value] of Object.entries(part)) {
    const found = difference((whole as Record<string, unknown>)[name], value, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 120)}...` : text
}
