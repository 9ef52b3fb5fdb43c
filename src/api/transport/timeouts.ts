import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Refusal } from '../../contract/refusals.js'

/** Limits for receiving a request, in milliseconds. */
export type RequestTimeouts = {
  /** For the request headers. */
  headers: number
  /** For a whole JSON body. */
  jsonBody: number
  /** For the next bytes of a form or of import lines; runs only while the service waits for the client. */
  idle: number
  /** For the whole request. */
  request: number
}

export const defaultTimeouts: RequestTimeouts = {
  headers: 60_000,
  jsonBody: 60_000,
  idle: 60_000,
  request: 3_600_000,
}

/** Refuses with `request_timeout` if the client takes longer. */
export async function withRequestTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // The rest of the request may still arrive, so the connection cannot be reused.
      reject(new Refusal('request_timeout', undefined, { headers: { connection: 'close' } }))
    }, milliseconds)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The chunks of a request body. Don't destroy the stream when reading stops early: that closes the socket before the
 * response is sent.
 */
export async function* readChunks(body: Readable, idleTimeout: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    const chunk = await withRequestTimeout(idleTimeout, chunks.next()).catch((error: unknown) => {
      throw error instanceof Refusal
        ? error
        : new Refusal('malformed_request', 'The body ended before it was complete.')
    })
    if (chunk.done) return
    yield chunk.value
  }
}

/** Does work with a signal that aborts when the client disconnects. */
export async function untilDisconnected<Result>(
  { socket }: IncomingMessage,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const disconnection = new AbortController()
  const abort = () => disconnection.abort(new Refusal('malformed_request', 'The client disconnected.'))
  if (socket.destroyed) abort()
  socket.once('close', abort)
  try {
    return await work(disconnection.signal)
  } finally {
    socket.off('close', abort)
  }
}

const drainTimeout = 5000

/**
 * Discards the rest of a request body for a while after the response. If the socket were closed at once, a client that is
 * still sending might not see the response.
 */
export function drainRequest(request: IncomingMessage): void {
  if (request.destroyed || (request.complete && request.readableLength === 0)) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), drainTimeout)
  request.once('close', () => clearTimeout(timer))
}
