/** A failure that its message explains: shown as it is, without a stack. */
export class Failure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
  }
}
