import type { Database } from '../../src/database/database.js'

type Counted = {
  db: Database
  count(): number
  /** Queries whose template contains this text, without those of background work. */
  countOf(words: string): number
}

/** Counts queries outside of transactions: calls of the template function and of `unsafe`. */
export function countQueries(db: Database): Counted {
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
