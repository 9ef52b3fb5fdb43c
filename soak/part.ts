/** What `npm run soak` is made of: parts, each of which does something to a service and says what came of it. */
export type Part = {
  /** For `--only`; what follows a colon names a variant: `killed-server:postgres`. */
  name: string
  run: (options: SoakOptions) => Promise<PartResult>
}

export type SoakOptions = {
  /** Whatever is drawn follows from it. */
  seed: number
  /** The form for `npm test`: everything once or a few times. */
  isShort: boolean
  /** How many requests a fuzzer sends; its own number without it. */
  requests?: number | undefined
  /** A folder that is the part's alone, and is removed when it has ended. */
  folder: string
  /** A line for whoever watches. */
  tell: (line: string) => void
}

/** Whatever does not apply to a part is 0: that is said in its sentence, not by a missing figure. */
export type PartResult = {
  /** As the part. */
  name: string
  /** What was done, in one or two sentences for the report. */
  told: string
  requests: number
  faults: number
  acknowledgedWrites: number
  lost: number
  doubled: number
  /** Answers of 500 and above other than a declared 503. */
  unexpectedFailures: number
  /** Of one account's data to another. */
  leaks: number
  seconds: number
  /** What else was measured, each a line of the part's table: `['longest wait for a 503', '1.2 s']`. */
  figures: [name: string, value: string][]
  /** What went against a promise, one line each; a run without any has passed. */
  violations: string[]
}
