import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Refusal } from '../contract/refusals.js'

/** How long the service waits for what a client sends, in milliseconds. */
export type Patience = {
  /** For the head of a request. */
  head: number
  /** For a whole body of JSON. */
  json: number
  /** For more of a form or of lines: only while it is us who wait. */
  silence: number
  /** For a whole request, however steadily it comes. */
  whole: number
}

export const usualPatience: Patience = { head: 60_000, json: 60_000, silence: 60_000, whole: 3_600_000 }

/** Waits for what is to come from a client, but not for ever. */
export async function within<Result>(patience: number, coming: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Nothing comes any more: there is no next request to keep the connection for.
      reject(new Refusal('request_timeout', undefined, { headers: { connection: 'close' } }))
    }, patience)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The chunks of a body as they come. A body that breaks off is no failure of ours. Who stops reading leaves the body
 * as it is: destroyed, it would take the connection along, and the answer with it.
 */
export async function* readBody(body: Readable, patience: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    const chunk = await within(patience, chunks.next()).catch((error: unknown) => {
      throw error instanceof Refusal ? error : new Refusal('malformed_request', 'The body broke off before its end.')
    })
    if (chunk.done) return
    yield chunk.value
  }
}

const lingering = 5000

/**
 * What is left of a body after the answer is read and forgotten for a while: cut off at once, a client that is still
 * sending might not see the answer.
 */
export function forgetRest(request: IncomingMessage): void {
  if (request.destroyed || (request.complete && request.readableLength === 0)) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), lingering)
  request.once('close', () => clearTimeout(timer))
}
