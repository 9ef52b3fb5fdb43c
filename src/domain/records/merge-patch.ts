/**
 * RFC 7396 for JSON values: null removes, objects are merged, everything else replaces. The input is not modified. It
 * recurses into the patch: limit its depth before.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  // `Object.fromEntries` defines fields; assigning `__proto__` would change the prototype.
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
