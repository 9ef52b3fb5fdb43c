/** A difference between two records; lists are compared by index. */
export type RecordChange = { pointer: string; before?: unknown; after?: unknown }

export function recordChanges(before: unknown, after: unknown): RecordChange[] {
  return Array.from(eachRecordChange(before, after))
}

/** One after another: large records can have many. */
export function* eachRecordChange(before: unknown, after: unknown, pointer = ''): Generator<RecordChange> {
  if (Object.is(before, after)) return
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const name of names) yield* eachRecordChange(before[name], after[name], `${pointer}/${escaped(name)}`)
  } else yield { pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

/** Whether there are none, without listing them: most records that are compared are the same. */
export function isUnchanged(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return false
  for (const name of Object.keys(before)) if (!isUnchanged(before[name], after[name])) return false
  for (const name of Object.keys(after)) if (after[name] !== undefined && !Object.hasOwn(before, name)) return false
  return true
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
