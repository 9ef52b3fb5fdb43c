/** Where a value lacks something of another, or has something else there; what it has beside is its own affair. */
export function difference(whole: unknown, part: unknown, pointer = ''): string | undefined {
  // What is taken away, and what has no value, is not there.
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
