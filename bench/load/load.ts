import type { HttpRequest } from '../contender.js'

/** A load generator: keeps so many connections busy with prepared requests, one after another. */
export type LoadGenerator = {
  name: string
  /** Prepares requests for the server at the address. */
  write(file: string, url: string, requests: HttpRequest[]): Promise<void>
  run(load: Load): Promise<LoadResult>
}

export type Load = {
  url: string
  file: string
  connections: number
  seconds: number
  /** What the unique marker of a request is replaced by counts up from here. */
  firstNumber: number
  /** How many of the requests were sent before: it goes on behind them. */
  from: number
}

export type LoadResult = {
  requests: number
  seconds: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Answers that are errors, and connections that broke. */
  failures: number
}
