import { pointerTo } from './pointer.js'
import type { Fault } from './refusals.js'

/** Texts that can be stored. PostgreSQL cannot store NUL, and a lone surrogate would be read back as another character. */

const maxDepth = 64

export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth === maxDepth) return false
  for (const name in value) if (!isStorable((value as Record<string, unknown>)[name], depth + 1)) return false
  return true
}

/** The first errors of a value that is not storable. */
export function textFaults(value: unknown, most: number): Fault[] {
  const faults: Fault[] = []
  const path: string[] = []
  // Pointers are built for errors only: a value may have a hundred thousand places.
  const add = (detail: string) => void faults.push({ pointer: pointerTo(path), detail })

  function scan(item: unknown): void {
    if (typeof item === 'string') {
      if (item.includes('\0')) add('must not contain the NUL character')
      else if (!item.isWellFormed()) add('must be well-formed Unicode')
      return
    }
    if (typeof item !== 'object' || item === null) return
    if (path.length === maxDepth) return add(`must not be nested deeper than ${maxDepth} levels`)
    for (const name in item) {
      if (faults.length >= most) return
      path.push(name)
      scan((item as Record<string, unknown>)[name])
      path.pop()
    }
  }
  scan(value)
  return faults
}

/** The value with a replacement character for whatever of its texts cannot be stored. */
export function storableOf<Value>(value: Value): Value {
  return isStorable(value) ? value : (replaced(value) as Value)
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\u{fffd}')
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each)]))
}
