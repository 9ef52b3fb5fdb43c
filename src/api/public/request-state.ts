import type { IncomingMessage } from 'node:http'
import type { Principal } from '../../store/keys.js'
import type { ReadResponse } from './read-pipeline.js'

/** What the fast path knows about a request when it falls back to the framework. */
export type RequestState = {
  /** Arrival time, from performance.now(). */
  started?: number
  principal?: Principal | undefined
  /** The outcome of the read, which is not executed again. */
  outcome?: { response: ReadResponse } | { error: unknown }
}

const states = new WeakMap<IncomingMessage, RequestState>()

export function setRequestState(request: IncomingMessage, state: RequestState): void {
  states.set(request, state)
}

export function requestState(request: IncomingMessage): RequestState {
  return states.get(request) ?? {}
}
