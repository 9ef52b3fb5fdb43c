import type { FastifyInstance } from 'fastify'
import { Refusal } from '../contract/refusals.js'
import { mediaTypeOf } from '../domain/media-type.js'
import { findDocumentContent } from '../storage/documents.js'
import { readServiceSecrets } from '../storage/service.js'
import { documentPath, openToken } from './document-links.js'
import { matches } from './etag.js'
import type { Service } from './service.js'

/** The bytes behind a document's link. The link is the permission: no key is asked for. */
export function registerDownloads(app: FastifyInstance, { db, files }: Service): void {
  // The bytes as they are stored: compressed on the way they would have no length, and another validator.
  app.get<{ Params: { token: string } }>(documentPath, { compress: false }, async (request, reply) => {
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
    return reply
      .type(mediaTypeOf(document.name))
      .header('content-length', content.size)
      .header('content-disposition', attachment(document.name))
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(content.stream)
  })
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
