import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from '../storage/database.js'

/** The reason of work that was cut short: somebody told the process to end. */
export class Stopped extends Error {
  /** As a shell reports it: 130 for SIGINT, 143 for SIGTERM. */
  readonly exitCode: number

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`stopped by ${signal}`)
    this.name = 'Stopped'
    this.exitCode = 128 + constants.signals[signal]
  }
}

const stopping = new AbortController()
let isWatching = false

/**
 * Aborted by the first SIGTERM or SIGINT, with `Stopped`. From the first call on no signal ends the process by
 * itself: whoever opened something closes it first, and signals that follow change nothing.
 */
export function stopSignal(): AbortSignal {
  if (!isWatching) {
    isWatching = true
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => stopping.abort(new Stopped(signal)))
    }
  }
  return stopping.signal
}

/** For a process that another one stops: signals mean nothing to it, and whoever calls the answer stops it. */
export function stopByHand(): () => void {
  isWatching = true
  return () => stopping.abort(new Stopped('SIGTERM'))
}

const patience = 10_000

/** Rejects with `Stopped` when the work is not done ten seconds after a signal to stop: a client may never read. */
export async function refuseToWait(done: AbortSignal): Promise<never> {
  const stop = stopSignal()
  if (!stop.aborted) await once(stop, 'abort', { signal: done })
  await sleep(patience, undefined, { signal: done })
  throw stop.reason
}

/** What told us to stop, when the error is only what became of the work then. */
export function interruptionOf(error: unknown): Stopped | undefined {
  if (!stopping.signal.aborted) return undefined
  const reason = stopping.signal.reason as Stopped
  const isAbort = (error as { code?: unknown } | undefined)?.code === 'ABORT_ERR'
  return error === reason || isAbort || isUnreachable(error) ? reason : undefined
}
