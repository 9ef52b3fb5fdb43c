import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseCounts } from '../../contract/json-counts.js'
import { Refusal } from '../../contract/refusals.js'

const maxBodyBytes = 4 * 1024 * 1024
/** For operations that anyone may call. */
export const maxAnonymousBodyBytes = 16 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Accepts JSON in valid UTF-8 only: lenient decoding would alter the data. */
export function parseJsonBodies(app: FastifyInstance, timeout: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async ({ headers, routeOptions }: FastifyRequest, body: Readable) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new Refusal('unsupported_media_type', 'Send the body uncompressed, without `Content-Encoding`.')
    const { maxBytes = maxBodyBytes, takesNoBody } = routeOptions.config
    if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
    const bytes = await readWhole(body, timeout, maxBytes)
    // Many clients send a Content-Type without a body.
    if (bytes.length === 0 && takesNoBody) return undefined
    return parseJson(bytes)
  })
}

// From this size on, others take turns between the steps: each may take tens of milliseconds.
const longBytes = 64 * 1024

async function parseJson(bytes: Buffer): Promise<unknown> {
  refuseCounts(bytes)
  if (bytes.length < longBytes) return parsed(bytes)
  await nextTurn()
  const value = parsed(bytes)
  await nextTurn()
  return value
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown
  } catch (error) {
    throw new Refusal('malformed_json', bytes.length === 0 ? 'The body is empty.' : printable((error as Error).message))
  }
}

// The message quotes the body, which may contain control characters.
function printable(message: string): string {
  return message.toWellFormed().replaceAll(/\p{Cc}/gu, '\u{fffd}')
}

/**
 * Reads a whole body within the timeout. Don't destroy the stream when reading stops early: that closes the socket before the
 * response is sent.
 */
export function readWhole(body: Readable, timeout: number, maxBytes = maxBodyBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client may have disconnected during authentication; no event follows.
    if (body.destroyed) return reject(incomplete())
    const chunks: Buffer[] = []
    let length = 0
    // The rest of the body may still arrive, so the connection cannot be reused.
    const onTimeout = () => stop(new Refusal('request_timeout', undefined, { headers: { connection: 'close' } }))
    const timer = setTimeout(onTimeout, timeout)

    function take(chunk: Buffer): void {
      length += chunk.length
      if (length > maxBytes) stop(tooLarge(maxBytes))
      else chunks.push(chunk)
    }
    function finish(): void {
      clearTimeout(timer)
      body.off('close', onClose)
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    }
    function onClose(): void {
      stop(incomplete())
    }
    function stop(refusal: Refusal): void {
      clearTimeout(timer)
      body.off('data', take).off('end', finish).pause()
      reject(refusal)
    }
    // The error listener is never removed: an unhandled error event would end the process.
    body.on('data', take).on('end', finish).on('error', onClose).on('close', onClose)
  })
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('payload_too_large', `The body is larger than the ${maxBytes / 1024} KiB that are accepted here.`)
}

function incomplete(): Refusal {
  return new Refusal('malformed_request', 'The body ended before it was complete.')
}
