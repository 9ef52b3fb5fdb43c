// Milliseconds of work before others have their turn.
const slice = 5

// Long work that waits for its next slice. One goes on in each turn of the event loop: requests wait for a slice, not for one of each.
const waiting: (() => void)[] = []

function waitForSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeNext)
  })
}

function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** For long work: to await what this returns between two steps lets others have their turn, once the slice is over. */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now()
  const turn = async () => {
    await waitForSlice()
    began = performance.now()
  }
  return () => (performance.now() - began > slice ? turn() : undefined)
}

/** Takes the steps of long work without holding up the requests that the process serves meanwhile. */
export async function finishInSlices<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  const others = takeTurns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const turn = others()
    if (turn) await turn
  }
}

/** The same for many items, one after another. */
export function mapInParts<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Generator<unknown, Result>,
): Promise<Result[]> {
  return finishInSlices(each(items, map))
}

function* each<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Generator<unknown, Result>,
): Generator<unknown, Result[]> {
  const results: Result[] = []
  for (const item of items) {
    yield
    results.push(yield* map(item))
  }
  return results
}

/** Maps many items without holding up the requests that the process serves meanwhile. */
export async function mapInSlices<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Promise<Result[]> {
  const others = takeTurns()
  const results: Result[] = []
  for (const item of items) {
    const turn = others()
    if (turn) await turn
    results.push(map(item))
  }
  return results
}
