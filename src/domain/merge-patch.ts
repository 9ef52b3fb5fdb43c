/**
 * RFC 7396, for values that came from JSON: null removes, objects are merged, everything else replaces. What is
 * merged is new, the input stays as it was. It follows the nesting of the patch: check that first.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  // Defines the fields, where assigning one called `__proto__` would change what the object is.
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
