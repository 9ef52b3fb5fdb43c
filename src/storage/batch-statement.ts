import { type Database, isUnreachable } from './database.js'

/** What batches are rounded up to, so that few statements have to be planned. */
const sizes = [1, 2, 4, 8, 16, 32, 50]

export const mostInBatch = Math.max(...sizes)

type Value = string | number | null

/**
 * A statement about rows of these types, with parameters that come before them. It finds them in a list of values, each with
 * its place, from 0. Each value is a parameter of its own, which nobody has to escape, and nobody to parse: rows in one
 * text of JSON take a third longer. The last rows may be empty: all that is in them is null.
 */
export function batchStatement<Row extends object>(types: string[], before: number, textOf: (rows: string) => string) {
  const texts = new Map(sizes.map((size) => [size, textOf(listOf(size))]))

  function listOf(size: number): string {
    const rows = Array.from({ length: size }, (_, place) => {
      const first = 1 + before + place * types.length
      return `(${place}, ${types.map((type, column) => `$${first + column}::${type}`).join(', ')})`
    })
    return `values ${rows.join(', ')}`
  }

  return (db: Database, parameters: Value[], rows: Value[][]): Promise<Row[]> => {
    const size = sizes.find((each) => each >= rows.length) as number
    const empty = Array.from({ length: (size - rows.length) * types.length }, () => null)
    // As text, which the driver sends as it is: a template it would put together anew for each call.
    return db.unsafe<Row[]>(texts.get(size) as string, [...parameters, ...rows.flat(), ...empty], { prepare: true })
  }
}

/**
 * What happened while the database was lost from sight nobody knows. Otherwise one of a batch was refused, as when somebody
 * was quicker, and nothing is stored: undefined. Each goes the usual way then, and is told about itself.
 */
export async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isUnreachable(error)) throw error
    return undefined
  }
}
