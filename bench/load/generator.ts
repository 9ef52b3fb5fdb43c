import type { HttpRequest } from '../queries.js'
import { autocannonGenerator } from './autocannon.js'
import { findWrk } from './wrk.js'

/** Keeps a number of connections busy with prepared requests, one after another on each. */
export type LoadGenerator = {
  name: string
  /** Prepares requests to the server at the address. `file` is free for the generator to use. */
  prepare(url: string, requests: HttpRequest[], file: string): Promise<PreparedLoad>
}

export type PreparedLoad = { run(load: Load): Promise<LoadResult> }

export type Load = {
  connections: number
  seconds: number
  /** The unique marker of a request is replaced by numbers that count up from here. */
  firstNumber: number
  /** How many of the requests were sent before: the load continues after them. */
  from: number
}

export type LoadResult = {
  requests: number
  seconds: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Error responses, and connections that failed. */
  failures: number
  /** CPU time that the generator itself used. Near `seconds`, the generator limits the rate and not the server. */
  cpuSeconds: number
}

/** wrk where it is installed; otherwise autocannon, which comes with the development packages. */
export async function findLoadGenerator(): Promise<LoadGenerator> {
  return (await findWrk()) ?? autocannonGenerator
}
