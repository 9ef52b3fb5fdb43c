import type { Database } from './database.js'

export type BatchLimits = {
  /** Batches that may run at the same time. */
  concurrency: number
  /** Keys per batch. */
  size: number
}

/** Returns the values in the order of the keys. */
type LoadAll<Key, Value> = (keys: Key[]) => Promise<(Value | undefined)[]>

/**
 * Loads values in batches. Keys that arrive while `concurrency` batches are running wait for the next batch, which starts
 * after all of them arrived: no value is older than its request, and a thousand concurrent requests cost a handful of round
 * trips.
 */
export function batcher<Key, Value>(
  loadAll: LoadAll<Key, Value>,
  { concurrency, size }: BatchLimits,
): (key: Key) => Promise<Value | undefined> {
  type Waiting = { key: Key; resolve(value: Value | undefined): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let running = 0
  let isScheduled = false

  // setImmediate runs after all pending input was read: requests arrive in bursts.
  function schedule(): void {
    if (isScheduled || running === concurrency || waiting.length === 0) return
    isScheduled = true
    setImmediate(start)
  }

  function start(): void {
    isScheduled = false
    while (running < concurrency && waiting.length > 0) {
      const batch = waiting.length <= size ? waiting : waiting.slice(0, size)
      waiting = waiting.length <= size ? [] : waiting.slice(size)
      void run(batch)
    }
  }

  async function run(batch: Waiting[]): Promise<void> {
    running += 1
    try {
      const values = await loadAll(batch.map(({ key }) => key))
      for (const [index, { resolve }] of batch.entries()) resolve(values[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    running -= 1
    schedule()
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}

/** A batcher for each database: requests to the same one share batches. */
export function databaseBatcher<Key, Value>(
  loadAll: (db: Database, keys: Key[]) => Promise<(Value | undefined)[]>,
  limits: BatchLimits,
): (db: Database, key: Key) => Promise<Value | undefined> {
  const batchers = new WeakMap<Database, (key: Key) => Promise<Value | undefined>>()
  return (db, key) => {
    const known = batchers.get(db)
    if (known) return known(key)
    const created = batcher<Key, Value>((keys) => loadAll(db, keys), limits)
    batchers.set(db, created)
    return created(key)
  }
}
