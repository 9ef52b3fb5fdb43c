import { setImmediate } from 'node:timers/promises'

// Milliseconds of work before others have their turn.
const slice = 5

/** Maps many items without holding up the requests that the process serves meanwhile. */
export async function mapInSlices<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    if (performance.now() - began > slice) {
      await setImmediate()
      began = performance.now()
    }
    results.push(map(item))
  }
  return results
}
