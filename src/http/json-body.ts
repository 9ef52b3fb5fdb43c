import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.js'
import { readBody, within } from './patience.js'

const largestBody = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON in UTF-8 and nothing else. Bytes that are no UTF-8 are refused: read loosely, they would change. */
export function parseJsonBodies(app: FastifyInstance, patience: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async ({ headers }: FastifyRequest, body: Readable) => {
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new Refusal('unsupported_media_type')
    if (Number(headers['content-length']) > largestBody) throw new Refusal('payload_too_large')
    const bytes = await within(patience, readWhole(body, patience))
    try {
      return JSON.parse(utf8.decode(bytes)) as unknown
    } catch (error) {
      throw new Refusal(
        'malformed_json',
        bytes.length === 0 ? 'The body is empty.' : printable((error as Error).message),
      )
    }
  })
}

// The message quotes the body, which may hold anything.
function printable(message: string): string {
  return message.toWellFormed().replaceAll(/\p{Cc}/gu, '\u{fffd}')
}

async function readWhole(body: Readable, patience: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of readBody(body, patience)) {
    length += chunk.length
    if (length > largestBody) throw new Refusal('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
