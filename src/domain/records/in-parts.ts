/**
 * Long work, which lets others have a turn wherever it yields: a shipment may have thousands of containers, and each many events.
 * A service finishes it in slices (`jobs/in-slices.ts`).
 */
export type InParts<Result> = Generator<undefined, Result>

/** Does all of it at once. */
export function finish<Result>(work: InParts<Result>): Result {
  for (;;) {
    const part = work.next()
    if (part.done) return part.value
  }
}

export function* flatMapInParts<Item, Result>(
  items: Item[],
  map: (item: Item, index: number) => Result[],
): InParts<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    yield
    results.push(...map(item, index))
  }
  return results
}
