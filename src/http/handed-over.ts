import type { IncomingMessage } from 'node:http'
import type { KeyHolder } from '../storage/keys.js'

/** What is known of a request by the time it goes on to the framework. */
export type HandedOver = {
  /** When it came, by the clock of this process. */
  started?: number
  /** Who was found to be calling: they need not be looked up again. */
  caller?: KeyHolder
  /** What was read already, and cannot be read again. */
  body?: Buffer | undefined
  /** How much of its limit the key has left, with this request counted. */
  limits?: Record<string, string> | undefined
  /** What went wrong: it is told, not tried again, as it may have happened all the same. */
  failure?: unknown
}

const known = new WeakMap<IncomingMessage, HandedOver>()

export function handOver(request: IncomingMessage, what: HandedOver): void {
  known.set(request, what)
}

export function handedOver(request: IncomingMessage): HandedOver {
  return known.get(request) ?? {}
}
