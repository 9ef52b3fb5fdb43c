import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../contract/refusals.js'
import { mediaTypeOf } from '../domain/media-type.js'
import { type PreviewType, previewMarkLength, previewTypeOf } from '../domain/preview.js'
import { findDocumentContent } from '../storage/documents.js'
import { readServiceSecrets } from '../storage/service.js'
import { documentPath, openToken } from './document-links.js'
import { matches } from './etag.js'
import type { Service } from './service.js'

type Download = { Params: { token: string }; Querystring: { inline?: unknown } }

/** The bytes behind a document's link. The link is the permission: no key is asked for. */
export function registerDownloads(app: FastifyInstance, { db, files }: Service): void {
  // The bytes as they are stored: compressed on the way they would have no length, and another validator.
  app.get<Download>(
    documentPath,
    { compress: false, config: { operation: 'downloadDocument' } },
    async (request, reply) => {
      const { link_secret } = await readServiceSecrets(db)
      const linked = openToken(link_secret, request.params.token, Date.now() / 1000)
      if (!linked) throw new Refusal('invalid_link')
      const document = await findDocumentContent(db, linked.account, linked.id)
      // A document that was withdrawn leaves a link to nothing: for its holder the same as an expired one.
      if (!document) throw new Refusal('invalid_link')
      if (document.is_suspended) throw new Refusal('account_suspended')

      const etag = `"${document.content_hash}"`
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const content = await files.open(document.content_hash)
      if (!content) throw new Error(`the bytes of document ${linked.id} are missing`)
      reply.header('content-length', content.size)
      if (request.query.inline === '1') return sendToBeShown(reply, document.name, content.stream)
      return sendToBeKept(reply, document.name, content.stream)
    },
  )
}

function sendToBeKept(reply: FastifyReply, name: string, stream: Readable): FastifyReply {
  return reply
    .type(mediaTypeOf(name))
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(stream)
}

// Within a page of ours, and nothing in it runs. A browser's own viewer of PDFs does not start in a sandbox, and is put
// into a page that the browser makes up, as an object or a frame with a style.
const shown = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
export const shownPolicies: Record<'picture' | 'pdf', string> = {
  picture: `${shown}; img-src 'self' data:; sandbox`,
  pdf: `${shown}; object-src 'self'; frame-src 'self'`,
}

/** For a page that shows it, if it is a picture or a PDF by its bytes; whatever else it is, it is to be kept. */
async function sendToBeShown(reply: FastifyReply, name: string, content: Readable): Promise<FastifyReply> {
  const { beginning, stream } = await peekInto(content, previewMarkLength)
  const type: PreviewType | undefined = previewTypeOf(beginning)
  if (type === undefined) return sendToBeKept(reply, name, stream)
  return reply
    .type(type)
    .header('content-disposition', attachment(name).replace(/^attachment/, 'inline'))
    .header('content-security-policy', type === 'application/pdf' ? shownPolicies.pdf : shownPolicies.picture)
    .send(stream)
}

/** The first bytes, and all of them again. */
async function peekInto(content: Readable, length: number): Promise<{ beginning: Buffer; stream: Readable }> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const first: Buffer[] = []
  for (let known = 0; known < length; known += first.at(-1)?.length ?? 0) {
    const next = await chunks.next()
    if (next.done) break
    first.push(next.value)
  }
  const beginning = Buffer.concat(first)
  async function* all(): AsyncGenerator<Buffer> {
    if (beginning.length > 0) yield beginning
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  const stream = Readable.from(all(), { objectMode: false })
  stream.once('close', () => content.destroy())
  return { beginning, stream }
}

/** RFC 6266: a plain name for old clients, the real one for the others. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
