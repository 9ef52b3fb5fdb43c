/** An expected failure: its message is printed without a stack. */
export class Failure extends Error {
  readonly exitCode: number
  /** What to do about it. */
  readonly advice: string | undefined

  constructor(message: string, exitCode = 1, advice?: string) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
    this.advice = advice
  }
}
