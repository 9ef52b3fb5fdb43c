/** Counts by name; a name with none takes no memory. */
export type Counter<Name> = { of(name: Name): number; add(name: Name, difference: number): void }

export function counter<Name>(): Counter<Name> {
  const counts = new Map<Name, number>()
  return {
    of: (name) => counts.get(name) ?? 0,
    add(name, difference) {
      const count = (counts.get(name) ?? 0) + difference
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}
