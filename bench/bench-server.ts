import type { BenchAccount, HttpRequest, Query } from './queries.js'

/** Where the PostgreSQL of the run is, and which of its databases a server uses. */
export type DatabasePlace = { socketFolder: string; port: number; user: string; database: string }

export type RunningServer = { url: string; pids: number[]; stop(): Promise<void> }

/** A server for the same queries and the same rows. */
export type BenchServer = {
  name: string
  /** Prepares its database, a copy that has the data; once for each database. */
  prepare(place: DatabasePlace, accounts: BenchAccount[]): Promise<void>
  /** Starts it in a separate process. */
  start(place: DatabasePlace): Promise<RunningServer>
  /** Undefined where it does not support the query. */
  request(query: Query): HttpRequest | undefined
}
