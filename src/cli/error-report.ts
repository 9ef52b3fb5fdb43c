import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { Refusal } from '../contract/refusals.js'
import { EmbeddedFailure } from '../database/embedded/embedded-failure.js'
import { SchemaTooNew } from '../database/migrate.js'
import { Failure } from './failure.js'
import { BadSetting } from './settings.js'

/** The output and exit code of a failed command; `text` is undefined if it was printed already. */
export type ErrorReport = { text: string | undefined; exitCode: number }

/** A failure of a worker, with the report that the worker sent. */
export class ReportedError extends Error {
  readonly report: ErrorReport

  constructor(report: ErrorReport) {
    super(report.text)
    this.name = 'ReportedError'
    this.report = report
  }
}

// Exit code 2: invalid arguments or settings; 1: the command failed.
export function errorReport(error: unknown): ErrorReport {
  if (error instanceof CommanderError) return { text: undefined, exitCode: error.exitCode === 0 ? 0 : 2 }
  if (error instanceof ReportedError) return error.report
  const reason = findReason(error)
  // Unexpected errors are printed with their stack.
  if (!reason) return { text: inspect(error), exitCode: 1 }
  const { what, advice } = reason
  const exitCode = error instanceof BadSetting ? 2 : error instanceof Failure ? error.exitCode : 1
  return { text: `waybill: ${what}${advice === undefined ? '' : `: ${advice}`}`, exitCode }
}

/** The message and advice of an expected failure; undefined for unexpected errors. */
export function findReason(error: unknown): { what: string; advice?: string | undefined } | undefined {
  if (error instanceof Failure || error instanceof EmbeddedFailure) return { what: error.message, advice: error.advice }
  if (error instanceof Refusal) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return { what: `${error.message}${cause}` }
  }
  if (error instanceof BadSetting || error instanceof SchemaTooNew) return { what: error.message }
  // Errors of system calls: the message contains the call and the path.
  if (typeof (error as NodeJS.ErrnoException | undefined)?.syscall === 'string')
    return { what: (error as Error).message }
  return undefined
}
