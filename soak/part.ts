import type { HostileRows } from './hostile/page.js'

/** A part of `npm run soak`: injects one kind of fault, and returns the results. */
export type Part = {
  /** For `--only`, with an optional variant after a colon: `killed-server:postgres`. */
  name: string
  run: (options: SoakOptions) => Promise<PartResult>
}

export type SoakOptions = {
  /** The seed of all random choices. */
  seed: number
  /** For `npm test`: few repetitions. */
  isShort: boolean
  /** The number of requests of the fuzzer. */
  requests?: number | undefined
  /** How long the parts take that run for a time: webhooks and mirrors. */
  minutes?: number | undefined
  /** How often each hostile request is sent. */
  times?: number | undefined
  /** How many rows the tables have that the part upgrade migrates. */
  rows?: number | undefined
  /** The commit that the part upgrade begins with, if not the recorded one. */
  from?: string | undefined
  /** How often the part failover interrupts the primary. */
  failovers?: { kills?: number; cuts?: number; switchovers?: number } | undefined
  /** A temporary folder of the part, removed at its end. */
  folder: string
  /** Reports progress. */
  log: (line: string) => void
}

/** Figures that do not apply to a part are 0. */
export type PartResult = {
  name: string
  /** One or two sentences for the report. */
  detail: string
  requests: number
  faults: number
  acknowledgedWrites: number
  lost: number
  doubled: number
  /** Responses of 500 and above other than a declared 503. */
  unexpectedFailures: number
  /** Responses that show data of another account. */
  leaks: number
  seconds: number
  /** Further figures, each a row of the part's table: `['longest wait for a 503', '1.2 s']`. */
  figures: [name: string, value: string][]
  /** Of hostile requests, for a page of their own. */
  hostile?: HostileRows
  /** Broken promises, one line each; a part without any has passed. */
  violations: string[]
}
