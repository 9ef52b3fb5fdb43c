import type { Database } from '../../src/storage/database.js'

type Counted = {
  db: Database
  count(): number
  /** Of those, the ones that were written as a template with these words: what goes on beside a test is not among them. */
  countOf(words: string): number
}

/** Counts queries outside transactions: every one of the driver starts as a call of the template function, or of `unsafe`. */
export function countingQueries(db: Database): Counted {
  let queries = 0
  const templates: string[] = []
  const proxy = new Proxy(db, {
    apply(target, receiver, args: unknown[]) {
      if (Array.isArray(args[0]) && 'raw' in args[0]) {
        queries += 1
        templates.push(args[0].join('?'))
      }
      return Reflect.apply(target as never, receiver, args)
    },
    get(target, name, receiver) {
      if (name === 'unsafe') queries += 1
      return Reflect.get(target, name, receiver)
    },
  })
  const countOf = (words: string) => templates.filter((template) => template.includes(words)).length
  return { db: proxy, count: () => queries, countOf }
}
