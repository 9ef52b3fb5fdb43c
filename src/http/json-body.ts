import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON in UTF-8 and nothing else. Bytes that are no UTF-8 are refused: read loosely, they would change. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new Refusal('unsupported_media_type')
      try {
        return JSON.parse(utf8.decode(bytes)) as unknown
      } catch (error) {
        throw new Refusal('malformed_json', bytes.length === 0 ? 'The body is empty.' : (error as Error).message)
      }
    },
  )
}
