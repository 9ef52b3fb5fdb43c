import type { Database } from '../../src/storage/database.js'

/** Counts queries outside transactions: every one of the driver starts as a call of the template function, or of `unsafe`. */
export function countingQueries(db: Database): { db: Database; count(): number } {
  let queries = 0
  const proxy = new Proxy(db, {
    apply(target, receiver, args: unknown[]) {
      if (Array.isArray(args[0]) && 'raw' in args[0]) queries += 1
      return Reflect.apply(target as never, receiver, args)
    },
    get(target, name, receiver) {
      if (name === 'unsafe') queries += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return { db: proxy, count: () => queries }
}
