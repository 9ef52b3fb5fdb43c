import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { businessTime, systemTime } from '../../clock/clock.js'
import type { OperationName, PublicOperation } from '../../contract/public/operations.js'
import type { Database } from '../../database/database.js'
import type { ReadRouter } from '../../database/replicas.js'
import type { Principal } from '../../store/keys.js'
import type { CustomerInput, ReadContext, Rendered } from '../../usecases/customer-context.js'
import { canonicalUrl } from '../cache/canonical-url.js'
import { etagOf, matchesTag } from '../cache/etag.js'
import type { CachedResponse, ResponseCache } from '../cache/response-cache.js'
import { currentWindow, documentLinkPath } from '../documents/document-links.js'
import { bodyBytes } from './body-bytes.js'

export type Read = (context: ReadContext, input: CustomerInput<OperationName>) => Promise<Rendered>

export type ReadRequest = {
  principal: Principal
  /** Path and query as received. */
  url: string
  ifNoneMatch: string | undefined
  /** Base URL of links in the response. */
  base: string
  /** Aborts when the client disconnects or the service stops; for operations that wait. */
  signal?: AbortSignal | undefined
  /** The validated input. Not evaluated if the response is cached. */
  input(): CustomerInput<OperationName>
}

export type ReadSources = {
  cache: ResponseCache
  reader: ReadRouter
  db: Database
  /** How many days back the change feed goes. */
  eventDays: number
}

/** The encoded response with its ETag; without a body if the client has it already. Long lists are streams. */
export type ReadResponse = { etag: string; body?: Buffer | AsyncIterable<Buffer>; gzipped?: Buffer | undefined }

export type ReadPipeline = {
  respond(request: ReadRequest): Promise<ReadResponse>
  /** Compresses a body and caches the result. */
  compress(request: ReadRequest, response: CachedResponse): Promise<Buffer>
}

const compressed = promisify(gzip)

/** The pipeline of every read of the public interface: from the cache, or from stored bodies. */
export function readPipeline(sources: ReadSources, operation: PublicOperation, read: Read): ReadPipeline {
  const { cache, reader, db, eventDays } = sources
  const { kind, list: isList = false, renderedFrom, validatedByContent: isByContent = false } = operation
  // Document links expire, and the cache knows one kind for each response: these are not cached.
  const isCacheable = kind !== 'document' && !renderedFrom
  const isValidatedByKind = isList || renderedFrom !== undefined
  // Where a list is of one resource, that has to be found first.
  const isOfAccount = isList && !operation.path.includes('{')

  return {
    async respond(request) {
      const { principal, url, ifNoneMatch, base, signal } = request
      const { account_id: account, revisions, secrets } = principal
      let validated: CustomerInput<OperationName> | undefined
      const inputOnce = () => (validated ??= request.input())
      const canonical = () => canonicalUrl(operation, inputOnce())
      const cached = isCacheable ? cache.find(principal.cacheKeys[kind], url, canonical) : undefined
      if (cached) return matchesTag(ifNoneMatch, cached.etag) ? { etag: cached.etag } : cached

      const input = inputOnce()
      const window = currentWindow(systemTime() / 1000)
      // The revision was read before the list, so a list is never older than its ETag.
      const hour = Math.floor(businessTime() / 3_600_000)
      const validity = kind === 'document' ? [base, window] : renderedFrom ? [hour] : []
      const kinds = (renderedFrom ?? [kind]).map((each) => revisions[each])
      const kindTag = isValidatedByKind ? etagOf(secrets.epoch, account, kind, ...kinds, ...validity) : ''
      // Some lists respond 404 when empty, and `*` matches only existing resources: read the list first.
      if (isOfAccount && ifNoneMatch?.trim() !== '*' && matchesTag(ifNoneMatch, kindTag)) return { etag: kindTag }

      const signLink: ReadContext['signLink'] = (document) =>
        base + documentLinkPath(secrets.link_secret, document, window)
      const ask: ReadContext['ask'] = (work) => reader.read(principal, work)
      const rendered = await read({ ask, account, signLink, caller: principal, db, signal, eventDays }, input)
      const body = await bodyBytes(rendered)
      const revisionTag =
        'revision' in rendered && !renderedFrom
          ? etagOf(secrets.epoch, account, kind, rendered.revision, rendered.id)
          : kindTag
      const etag = isByContent && Buffer.isBuffer(body) ? etagOf(kindTag, body.toString()) : revisionTag
      const response =
        isCacheable && Buffer.isBuffer(body)
          ? cache.store(principal.cacheKeys[kind], canonical(), { etag, body })
          : { etag, body }
      return matchesTag(ifNoneMatch, etag) ? { etag } : response
    },

    async compress({ principal, input }, { etag, body }) {
      const gzipped = await compressed(body)
      const url = canonicalUrl(operation, input())
      if (isCacheable) cache.store(principal.cacheKeys[kind], url, { etag, body, gzipped })
      return gzipped
    },
  }
}
