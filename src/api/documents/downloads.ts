import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { systemTime } from '../../clock/clock.js'
import { Refusal } from '../../contract/refusals.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { mediaTypeOf } from '../../domain/documents/media-type.js'
import { type PreviewType, previewMarkLength, previewTypeOf } from '../../domain/documents/preview.js'
import { recordLinkDownload } from '../../store/audit.js'
import { findMessageFileContent } from '../../store/conversations.js'
import { findDocumentContent } from '../../store/documents.js'
import { matchesTag } from '../cache/etag.js'
import { rateLimitHeaders, sharedRateLimiter } from '../limits/rate-limit.js'
import { requestsOfAll, requestsPerMinute } from '../portal/link-admission.js'
import type { Service } from '../service.js'
import { clientAddress, networkOf } from '../transport/client-address.js'
import { documentPath, verifyToken } from './document-links.js'

type Download = { Params: { token: string }; Querystring: { inline?: unknown } }

/** Serves the file of a link to a document, or to a file of a message. The signed link is the permission: no key is needed. */
export function registerDownloads(app: FastifyInstance, { db, files, trustedProxies, workerChannel }: Service): void {
  const requests = sharedRateLimiter(workerChannel, 'downloads')
  // Not compressed: that would remove Content-Length and need another ETag.
  app.get<Download>(
    documentPath,
    { compress: false, config: { operation: 'downloadDocument' } },
    async (request, reply) => {
      const { link_secret } = await readServiceSecrets(db)
      const linked = verifyToken(link_secret, request.params.token, systemTime() / 1000)
      if (!linked) throw new Refusal('invalid_link')
      const address = clientAddress(request.raw, trustedProxies)
      const requested = `${linked.account} ${linked.id}`
      reply.headers(rateLimitHeaders(requests.count(`${requested} ${networkOf(address)}`, requestsPerMinute), 'minute'))
      rateLimitHeaders(requests.count(requested, requestsOfAll), 'minute')
      const document =
        (await findDocumentContent(db, linked.account, linked.id)) ??
        (await findMessageFileContent(db, linked.account, linked.id))
      // A link to a withdrawn document is refused like an expired one.
      if (!document) throw new Refusal('invalid_link')
      if (document.is_suspended) throw new Refusal('account_suspended')

      const etag = `"${document.content_hash}"`
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const content = await files.open(document.content_hash)
      if (!content) throw new Error(`the file of document ${linked.id} is missing`)
      // The link says nothing about who uses it.
      const act = { subject: linked.id, details: { file: document.name } }
      await recordLinkDownload(db, linked.account, { actor: 'link', address }, act)
      reply.header('content-length', content.size)
      if (request.query.inline === '1') return sendInline(reply, document.name, content.stream)
      return sendAttachment(reply, document.name, content.stream)
    },
  )
}

function sendAttachment(reply: FastifyReply, name: string, stream: Readable): FastifyReply {
  return reply
    .type(mediaTypeOf(name))
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .send(stream)
}

// Inline files can be framed by our pages only, and run no scripts. PDF viewers of browsers do not start in a sandbox; they
// render into a generated page that needs object, frame and inline styles.
const inlinePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
export const inlinePolicies: Record<'picture' | 'pdf', string> = {
  picture: `${inlinePolicy}; img-src 'self' data:; sandbox`,
  pdf: `${inlinePolicy}; object-src 'self'; frame-src 'self'`,
}

/** Sends pictures and PDFs, recognized by content, for display in a page; everything else as an attachment. */
async function sendInline(reply: FastifyReply, name: string, content: Readable): Promise<FastifyReply> {
  const { beginning, stream } = await peek(content, previewMarkLength)
  const type: PreviewType | undefined = previewTypeOf(beginning)
  if (type === undefined) return sendAttachment(reply, name, stream)
  return reply
    .type(type)
    .header('content-disposition', attachment(name).replace(/^attachment/, 'inline'))
    .header('content-security-policy', type === 'application/pdf' ? inlinePolicies.pdf : inlinePolicies.picture)
    .send(stream)
}

/** Reads the first bytes, and returns a stream of all bytes. */
async function peek(content: Readable, length: number): Promise<{ beginning: Buffer; stream: Readable }> {
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

/** RFC 6266: an ASCII name for old clients, and the real name. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
