import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.js'
import { handedOver } from './handed-over.js'

export const largestBody = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON in UTF-8 and nothing else. Bytes that are no UTF-8 are refused: read loosely, they would change. */
export function parseJsonBodies(app: FastifyInstance, patience: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    async ({ headers, raw, routeOptions }: FastifyRequest, body: Readable) => {
      if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new Refusal('unsupported_media_type')
      if (Number(headers['content-length']) > largestBody) throw new Refusal('payload_too_large')
      const bytes = handedOver(raw).body ?? (await readWhole(body, patience))
      // Many clients tell the type of a body that they do not send.
      if (bytes.length === 0 && routeOptions.config.takesNoBody) return undefined
      return parseJson(bytes)
    },
  )
}

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown
  } catch (error) {
    throw new Refusal('malformed_json', bytes.length === 0 ? 'The body is empty.' : printable((error as Error).message))
  }
}

// The message quotes the body, which may hold anything.
function printable(message: string): string {
  return message.toWellFormed().replaceAll(/\p{Cc}/gu, '\u{fffd}')
}

/**
 * All of a body, but not for ever. Who stops reading leaves the body as it is: destroyed, it would take the connection
 * along, and the answer with it.
 */
export function readWhole(body: Readable, patience: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Whoever has left while we looked who they are: no event comes any more.
    if (body.destroyed) return reject(brokenOff())
    const chunks: Buffer[] = []
    let length = 0
    // Nothing comes any more: there is no next request to keep the connection for.
    const late = () => stop(new Refusal('request_timeout', undefined, { headers: { connection: 'close' } }))
    const timer = setTimeout(late, patience)

    function take(chunk: Buffer): void {
      length += chunk.length
      if (length > largestBody) stop(new Refusal('payload_too_large'))
      else chunks.push(chunk)
    }
    function finish(): void {
      clearTimeout(timer)
      body.off('close', breakOff)
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    }
    function breakOff(): void {
      stop(brokenOff())
    }
    function stop(refusal: Refusal): void {
      clearTimeout(timer)
      body.off('data', take).off('end', finish).pause()
      reject(refusal)
    }
    // A listener for errors stays: one that nobody listens to would end the process.
    body.on('data', take).on('end', finish).on('error', breakOff).on('close', breakOff)
  })
}

function brokenOff(): Refusal {
  return new Refusal('malformed_request', 'The body broke off before its end.')
}
