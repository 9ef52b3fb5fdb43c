import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseCounts } from '../../contract/json-counts.js'
import type { FeedFormat } from '../../contract/operator/feeds.js'
import { Refusal } from '../../contract/refusals.js'
import { findFeedSecrets } from '../../store/feed-secrets.js'
import { countRefusal, findPushFeed } from '../../store/feeds.js'
import { storeMessage } from '../../store/messages.js'
import { callbackPath } from '../../usecases/feeds/feed-record.js'
import { feedbackOn } from '../../usecases/feeds/feedback.js'
import { isKnownKey, isSigned, readSignature } from '../../usecases/feeds/signature.js'
import { inboxWaker } from '../../usecases/messages/inbox-waker.js'
import { bearerOf } from '../authentication/authentication.js'
import { rateLimitHeaders, sharedRateLimiter } from '../limits/rate-limit.js'
import type { Service } from '../service.js'
import { clientAddress, networkOf } from '../transport/client-address.js'
import { readWhole } from '../transport/json-body.js'
import { messageOf } from '../transport/request-bodies.js'

type FeedRequest = { Params: { feed_id: string } }
type PushFeed = NonNullable<Awaited<ReturnType<typeof findPushFeed>>>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body of a request of a carrier is read. */
    feed: PushFeed
  }
}

/**
 * What carriers call: the callback of subscriptions of DCSA 2.2, and the events of 3.0. Their permission is the signature, or
 * a key; who does not know the address of a feed gets no further than a lookup.
 */
export function registerFeedCallbacks(app: FastifyInstance, service: Service, bodyTimeout: number): void {
  const { db, quotas = {}, rateLimit, trustedProxies, workerChannel } = service
  const limiter = sharedRateLimiter(workerChannel, 'feeds')
  const inbox = inboxWaker(db, {
    quotas,
    onError: (error) => app.log.error({ err: error }, 'a message could not be processed'),
  })
  app.addHook('onClose', () => inbox.stop())
  app.decorateRequest('feed', null as never)

  async function findFeed({ params }: FastifyRequest<FeedRequest>, format: FeedFormat): Promise<PushFeed> {
    const feed = await findPushFeed(db, params.feed_id)
    if (feed?.format !== format) throw new Refusal('path_not_found')
    return feed
  }

  /** In onRequest, so that nothing is read of requests that are refused anyway. */
  async function admit(request: FastifyRequest<FeedRequest>, reply: FastifyReply, format: FeedFormat): Promise<void> {
    request.feed = await findFeed(request, format)
    const { feed_id, paused } = request.feed
    if (rateLimit !== undefined) {
      // By address as well: others who learned the address do not use up the limit of the carrier.
      const caller = `${feed_id} ${networkOf(clientAddress(request.raw, trustedProxies))}`
      reply.headers(rateLimitHeaders(limiter.count(caller, rateLimit), 'minute'))
    }
    if (paused) throw new Refusal('service_unavailable', 'The feed is paused.', { headers: { 'retry-after': '300' } })
  }

  async function refuse({ feed }: FastifyRequest, refusal: Refusal): Promise<never> {
    await countRefusal(db, feed.feed_id)
    throw refusal
  }

  /** Stores the message, which is processed without being awaited. */
  async function receive({ feed: { feed_id, sender } }: FastifyRequest, content: Buffer): Promise<void> {
    await storeMessage(db, { sender, feed_id, channel: 'push', format: 'dcsa', content })
    inbox.wake(sender)
  }

  async function admitSigned(request: FastifyRequest<FeedRequest>, reply: FastifyReply): Promise<void> {
    await admit(request, reply, 'dcsa-2.2')
    if (!readSignature(signatureOf(request))) await refuse(request, new Refusal('invalid_signature'))
  }

  async function receiveSigned(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const content = messageOf(request)
    const signature = readSignature(signatureOf(request))
    const secrets = await findFeedSecrets(db, request.feed.feed_id)
    if (!signature || !isSigned(content, signature, secrets)) await refuse(request, new Refusal('invalid_signature'))
    refuseCounts(content)
    await receive(request, content)
    return reply.code(204).send()
  }

  async function admitWithKey(request: FastifyRequest<FeedRequest>, reply: FastifyReply): Promise<void> {
    reply.header('api-version', '3.0.0')
    await admit(request, reply, 'dcsa-3.0')
    const { authorization } = request.headers
    if (authorization === undefined) await refuse(request, new Refusal('missing_key', keyWanted))
    const hashes = await findFeedSecrets(db, request.feed.feed_id)
    if (!isKnownKey(bearerOf(authorization ?? '') ?? '', hashes))
      await refuse(request, new Refusal('invalid_key', keyWanted))
  }

  async function receiveEvents(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const content = messageOf(request)
    refuseCounts(content)
    const { isRefused, feedbackElements } = await feedbackOn(content)
    await receive(request, content)
    return reply.code(isRefused ? 400 : 200).send({ feedbackElements })
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async ({ headers }: FastifyRequest, body: Readable) => {
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new Refusal('unsupported_media_type', 'The message must not be compressed.')
      return readWhole(body, bodyTimeout)
    })
    scope.route<FeedRequest>({
      method: 'HEAD',
      url: `${callbackPath}/:feed_id`,
      config: { operation: 'checkFeed' },
      handler: async (request, reply) => {
        await findFeed(request, 'dcsa-2.2')
        return reply.code(204).send()
      },
    })
    scope.route<FeedRequest>({
      method: 'POST',
      url: `${callbackPath}/:feed_id`,
      config: { operation: 'receiveNotification' },
      onRequest: admitSigned,
      handler: receiveSigned,
    })
    scope.route<FeedRequest>({
      method: 'POST',
      url: `${callbackPath}/:feed_id/events`,
      config: { operation: 'receiveFeedEvents' },
      onRequest: admitWithKey,
      handler: receiveEvents,
    })
  })
}

const keyWanted = 'Send `Authorization: Bearer <key>` with the key of the feed.'

/** Several headers are joined by commas, and then are no signature. */
function signatureOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['notification-signature']
  return Array.isArray(header) ? header.join(', ') : header
}
