import type { Fault } from '../../contract/refusals.js'

/** What a table says about a record. Null removes a value; what is absent stays as it is, unless the record is replaced. */
export type RecordPatch = {
  data: Record<string, unknown>
  /** Lists that lose their stored entries, by path (`cargo.containers`). */
  emptied: string[]
  /** The number of the line that each entry of a list comes from, by path. */
  entryLines: Record<string, number[]>
  /** Dates that are still to be set in `data`, as the reader of the table knows them. */
  openDates?: unknown[]
  /** Whether what is absent is removed. */
  replaces: boolean
}

/** How the entries of a list are matched with the stored ones. */
type ListRule = {
  /** An entry is identified by the first of these that it has. */
  keys: string[][]
  /** Entries without a key are preferably matched where this field is the same. */
  alike?: string
}

/** By path. Lists without keys are matched by position. */
export const listRules: Record<string, ListRule> = {
  'cargo.containers': { keys: [['container_number']], alike: 'container_type' },
  'cargo.loads': { keys: [] },
  contacts: { keys: [['name'], ['email']] },
  lines: { keys: [] },
  product_lines: { keys: [['reference'], ['product', 'sku']] },
  custom_parameters: { keys: [['name']] },
}

type Fields = Record<string, unknown>

export type Merged = {
  data: Fields
  faults: Fault[]
  /** The entry of the patch that an entry of the merged list comes from, by path. */
  origins: Map<string, (number | undefined)[]>
}

/** The stored record with what the patch says; neither is modified. */
export function mergeRecord(stored: object | undefined, { data, emptied, replaces }: RecordPatch): Merged {
  const faults: Fault[] = []
  const origins = new Map<string, (number | undefined)[]>()

  function mergeFields(before: Fields, patch: Fields, path: string[]): Fields {
    const merged = new Map(Object.entries(before))
    for (const [name, value] of Object.entries(patch)) {
      const result = value === null ? undefined : mergeValue(merged.get(name), value, [...path, name])
      if (result === undefined) merged.delete(name)
      else merged.set(name, result)
    }
    return Object.fromEntries(merged)
  }

  function mergeValue(before: unknown, value: unknown, path: string[]): unknown {
    const rule = Array.isArray(value) ? listRules[path.join('.')] : undefined
    if (rule) return mergeList(before, value as Fields[], path, rule)
    if (!isFields(value)) return value
    const merged = mergeFields(isFields(before) ? before : {}, value, path)
    return Object.keys(merged).length === 0 ? undefined : merged
  }

  function mergeList(before: unknown, given: Fields[], path: string[], rule: ListRule): Fields[] | undefined {
    const pointer = `/${path.join('/')}`
    const entries = Array.isArray(before) && !emptied.includes(path.join('.')) ? [...(before as Fields[])] : []
    if (rule.keys.length === 0 && given.length > 0 && given.length < entries.length) {
      const detail = `has ${given.length} of ${entries.length} stored entries, which have no key to match them by: give all of them, or clear the list first`
      faults.push({ pointer, detail })
      return entries
    }
    const places = matchEntries(entries, given, rule)
    const from = entries.map((): number | undefined => undefined)
    for (const [index, entry] of given.entries()) {
      const place = places[index] ?? entries.length
      const merged = mergeFields(entries[place] ?? {}, entry, path)
      if (Object.keys(merged).length === 0) {
        faults.push({ pointer: `${pointer}/${place}`, detail: 'clears values of an entry that is not stored' })
      }
      entries[place] = merged
      from[place] = index
    }
    origins.set(path.join('.'), from)
    return entries.length === 0 ? undefined : entries
  }

  const patch = { ...data }
  for (const path of emptied) setIfAbsent(patch, path.split('.'), [])
  return { data: mergeFields(replaces ? {} : ((stored ?? {}) as Fields), patch, []), faults, origins }
}

/** The stored entry that each given one changes; undefined for a new one. */
function matchEntries(stored: Fields[], given: Fields[], { keys, alike }: ListRule): (number | undefined)[] {
  if (keys.length === 0) return given.map((_, index) => (index < stored.length ? index : undefined))
  const places = new Map<string, number[]>()
  const add = (key: string, place: number) => {
    const others = places.get(key)
    if (others) others.push(place)
    else places.set(key, [place])
  }
  for (const [place, entry] of stored.entries()) {
    for (const [rank, key] of keys.entries()) {
      const value = valueAt(entry, key)
      if (value !== undefined) add(`${rank} ${JSON.stringify(value)}`, place)
    }
    if (keyOf(entry, keys) === undefined) {
      if (alike !== undefined) add(`alike ${JSON.stringify(entry[alike])}`, place)
      add('any', place)
    }
  }
  const taken = new Set<number>()
  function take(key: string): number | undefined {
    const found = places.get(key)
    while (found && found.length > 0) {
      const place = found.shift() as number
      if (taken.has(place)) continue
      taken.add(place)
      return place
    }
    return undefined
  }
  const known = given.map((entry) => {
    const key = keyOf(entry, keys)
    return key === undefined ? undefined : take(key)
  })
  // An entry that has got its key takes the place of one that was stored without.
  return given.map((entry, index) => {
    if (known[index] !== undefined) return known[index]
    const like =
      alike === undefined || entry[alike] === undefined ? undefined : take(`alike ${JSON.stringify(entry[alike])}`)
    const isNew = keyOf(entry, keys) !== undefined && alike !== undefined && entry[alike] !== undefined
    return like ?? (isNew ? undefined : take('any'))
  })
}

function keyOf(entry: Fields, keys: string[][]): string | undefined {
  for (const [rank, key] of keys.entries()) {
    const value = valueAt(entry, key)
    if (value !== undefined) return `${rank} ${JSON.stringify(value)}`
  }
  return undefined
}

function valueAt(entry: Fields, path: string[]): unknown {
  const value = path.reduce<unknown>((node, step) => (isFields(node) ? node[step] : undefined), entry)
  return value ?? undefined
}

function setIfAbsent(data: Fields, path: string[], value: unknown): void {
  const [name, ...rest] = path as [string, ...string[]]
  if (rest.length === 0) data[name] ??= value
  else {
    data[name] = { ...(data[name] as Fields | undefined) }
    setIfAbsent(data[name] as Fields, rest, value)
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
