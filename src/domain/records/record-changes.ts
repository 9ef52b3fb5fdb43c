/** A difference between two records; lists are compared by index. */
export type RecordChange = { pointer: string; before?: unknown; after?: unknown }

export function recordChanges(before: unknown, after: unknown, pointer = ''): RecordChange[] {
  if (Object.is(before, after)) return []
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => recordChanges(before[name], after[name], `${pointer}/${escaped(name)}`))
  }
  return [{ pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
