const maxLength = 100

/** The known name that is most similar; undefined if none is close. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined
  let nearest: string | undefined
  const given = plain(name)
  // Longer names may have more typos.
  let allowed = Math.min(3, Math.ceil(given.length / 4))
  for (const each of known) {
    const other = plain(each)
    // At least as many letters are missing or extra.
    if (Math.abs(given.length - other.length) > allowed) continue
    const distance = distanceBetween(given, other)
    if (distance > allowed) continue
    nearest = each
    allowed = distance - 1
  }
  return nearest
}

// `productLines` is close to `product_lines`.
function plain(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase()
}

/** Levenshtein distance. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [place, letter] of one.split('').entries()) {
    const next = [place + 1]
    for (const [index, otherLetter] of other.split('').entries()) {
      const replaced = (row[index] as number) + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] as number) + 1, (next[index] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
