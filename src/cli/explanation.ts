import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { Refusal } from '../contract/refusals.js'
import { isUnreachable } from '../storage/database.js'
import { SchemaTooNew } from '../storage/migrate.js'
import { Failure } from './failure.js'
import { BadSetting } from './settings.js'

/** What a failed command says on its way out; undefined: it has said so already. */
export type Explanation = { text: string | undefined; exitCode: number }

/** A failure that was explained elsewhere: in a worker. */
export class Explained extends Error {
  readonly explanation: Explanation

  constructor(explanation: Explanation) {
    super(explanation.text)
    this.name = 'Explained'
    this.explanation = explanation
  }
}

// 2: what was asked for makes no sense; 1: it made sense, and failed.
export function explanationOf(error: unknown): Explanation {
  if (error instanceof CommanderError) return { text: undefined, exitCode: error.exitCode === 0 ? 0 : 2 }
  if (error instanceof Explained) return error.explanation
  const message = error instanceof Error ? error.message : String(error)
  if (isUnreachable(error) || isTurnedAway(error)) {
    return { text: `waybill: the database cannot be reached: ${message}`, exitCode: 1 }
  }
  if (error instanceof Refusal) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return { text: `waybill: ${message}${cause}`, exitCode: 1 }
  }
  if (error instanceof BadSetting) return { text: `waybill: ${message}`, exitCode: 2 }
  if (error instanceof Failure) return { text: `waybill: ${message}`, exitCode: error.exitCode }
  if (error instanceof SchemaTooNew || isOfTheSystem(error)) return { text: `waybill: ${message}`, exitCode: 1 }
  // What nobody expected is shown whole.
  return { text: inspect(error), exitCode: 1 }
}

// Fatal to PostgreSQL is what ends a connection: a wrong password, a database that does not exist.
function isTurnedAway(error: unknown): boolean {
  return (error as { severity?: unknown } | undefined)?.severity === 'FATAL'
}

// A folder that may not be written, a full disk: the message names the call and the path.
function isOfTheSystem(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.syscall === 'string'
}
