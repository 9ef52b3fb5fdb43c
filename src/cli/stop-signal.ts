import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from '../database/errors.js'

/** The abort reason of work that a stop signal interrupted. */
export class Stopped extends Error {
  /** The shell convention: 130 for SIGINT, 143 for SIGTERM. */
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
 * Aborted with `Stopped` by the first SIGTERM or SIGINT. After the first call, signals no longer end the process directly, so
 * that resources can be closed; further signals are ignored.
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

/** For workers, which the main process stops: ignores signals, and returns the function that stops this process. */
export function stopManually(): () => void {
  isWatching = true
  return () => stopping.abort(new Stopped('SIGTERM'))
}

const gracePeriod = 10_000

/** Rejects with `Stopped` ten seconds after a stop signal unless the work is done: a client may never read its response. */
export async function rejectAfterGracePeriod(done: AbortSignal): Promise<never> {
  const stop = stopSignal()
  if (!stop.aborted) await once(stop, 'abort', { signal: done })
  await sleep(gracePeriod, undefined, { signal: done })
  throw stop.reason
}

/** The stop signal, if the error is only a consequence of it. */
export function interruptionOf(error: unknown): Stopped | undefined {
  if (!stopping.signal.aborted) return undefined
  const reason = stopping.signal.reason as Stopped
  const isAbort = (error as { code?: unknown } | undefined)?.code === 'ABORT_ERR'
  return error === reason || isAbort || isUnreachable(error) ? reason : undefined
}
