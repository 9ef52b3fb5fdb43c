import type { SqlStatement } from './statement.js'

/**
 * Reads and writes of one form that are asked for in the same turn of the event loop, by writes to several accounts of one
 * transaction, become one statement: adding ten events of ten accounts takes 30 statements instead of 240
 * (`npm run bench:events -- --profile`). Writes are sent before reads, and all of them before any other statement.
 */

/** A statement that stores rows, of any account. */
export type GatheredWrite<Sql, Row> = (sql: Sql, rows: Row[]) => SqlStatement

/** A statement that finds rows by keys, of any account. `place` is the number of the key, from 1. */
export type GatheredRead<Sql, Key, Row> = (sql: Sql, keys: Key[]) => PromiseLike<(Row & { place: number })[]>

// So many rows are sent without waiting for more: an import would hold them in memory.
const manyRows = 100

type Waiting = { count: number; resolve(rows: unknown[]): void; reject(error: unknown): void }

export class Gathering<Sql> {
  readonly #sql: Sql
  readonly #send: (statement: SqlStatement) => void
  readonly #writes = new Map<GatheredWrite<Sql, never>, unknown[]>()
  readonly #reads = new Map<GatheredRead<Sql, never, unknown>, { keys: unknown[]; waiting: Waiting[] }>()
  #isScheduled = false

  constructor(sql: Sql, send: (statement: SqlStatement) => void) {
    this.#sql = sql
    this.#send = send
  }

  /** Does not wait for the result: if it fails, so does the transaction. */
  write<Row>(statement: GatheredWrite<Sql, Row>, rows: Row[]): void {
    const form = statement as GatheredWrite<Sql, never>
    const gathered = this.#writes.get(form)
    const all = gathered ? gathered.concat(rows) : rows
    this.#writes.set(form, all)
    if (all.length >= manyRows) this.flush()
    else this.#schedule()
  }

  read<Key, Row>(statement: GatheredRead<Sql, Key, Row>, keys: Key[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const form = statement as GatheredRead<Sql, never, unknown>
      const gathered = this.#reads.get(form)
      const waiting = gathered?.waiting ?? []
      waiting.push({ count: keys.length, resolve: resolve as (rows: unknown[]) => void, reject })
      this.#reads.set(form, { keys: gathered ? gathered.keys.concat(keys) : keys, waiting })
      this.#schedule()
    })
  }

  /** Sends what is gathered. */
  flush(): void {
    for (const [statement, rows] of this.#writes) this.#send(statement(this.#sql, rows as never[]))
    this.#writes.clear()
    const reads = [...this.#reads]
    this.#reads.clear()
    for (const [statement, { keys, waiting }] of reads) {
      statement(this.#sql, keys as never[]).then(
        (rows) => distribute(rows as { place: number }[], waiting),
        (error: unknown) => {
          for (const { reject } of waiting) reject(error)
        },
      )
    }
  }

  /** Forgets what was not sent: the transaction has failed. */
  discard(): void {
    this.#writes.clear()
    for (const { waiting } of this.#reads.values()) {
      for (const { reject } of waiting) reject(new Error('the transaction was rolled back'))
    }
    this.#reads.clear()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    process.nextTick(() => {
      this.#isScheduled = false
      this.flush()
    })
  }
}

function distribute(rows: { place: number }[], waiting: Waiting[]): void {
  if (waiting.length === 1) return waiting[0]!.resolve(rows)
  const owners = waiting.flatMap(({ count }, index) => Array.from({ length: count }, () => index))
  const shares: unknown[][] = waiting.map(() => [])
  for (const row of rows) shares[owners[row.place - 1]!]!.push(row)
  for (const [index, { resolve }] of waiting.entries()) resolve(shares[index]!)
}
