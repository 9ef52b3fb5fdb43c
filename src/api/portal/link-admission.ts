import type { FastifyRequest } from 'fastify'
import { type LinkKind, linkKinds } from '../../contract/portal/operation.js'
import { Refusal } from '../../contract/refusals.js'
import { findOpenCalendar } from '../../store/calendars.js'
import { findOpenSharedLink } from '../../store/shared-links.js'
import { findOpenSupplierLink } from '../../store/supplier-links.js'
import { limitAttempts } from '../../usecases/people/attempt-limits.js'
import { rateLimitHeaders, sharedRateLimiter } from '../limits/rate-limit.js'
import type { Service } from '../service.js'
import { clientAddress, networkOf } from '../transport/client-address.js'

// A person with a phone needs a few requests a minute. A link may be passed on to many people.
export const requestsPerMinute = 60
export const requestsOfAll = 600
// Of wrong links from one network, before the database is asked to count them.
const wrongPerMinute = 60

/** Look up the link of a request, before its body is read. */
export function linkAdmission({ db, trustedProxies, workerChannel }: Service) {
  const requests = sharedRateLimiter(workerChannel, 'links')
  const wrong = sharedRateLimiter(workerChannel, 'wrong links')

  async function admit<Link extends { link_id: string }>(
    kind: LinkKind,
    request: FastifyRequest,
    find: (token: string) => Promise<Link | undefined>,
  ): Promise<Link> {
    const { header, refusal } = linkKinds[kind]
    const token =
      header === 'path' ? (request.params as { token?: string }).token : request.headers[header.toLowerCase()]
    const isToken = typeof token === 'string' && /^[\w-]{16,128}$/.test(token)
    const link = isToken ? await find(token) : undefined
    const network = networkOf(clientAddress(request.raw, trustedProxies))
    if (!link) {
      // Tokens cannot be guessed; whoever tries gets slower.
      rateLimitHeaders(wrong.count(`${kind} ${network}`, wrongPerMinute), 'minute')
      await limitAttempts(db, [{ name: `${kind} link from ${network}`, allowed: 50 }], 'rate_limited')
      throw new Refusal(refusal)
    }
    rateLimitHeaders(requests.count(`${link.link_id} ${network}`, requestsPerMinute), 'minute')
    rateLimitHeaders(requests.count(link.link_id, requestsOfAll), 'minute')
    return link
  }

  return {
    async supplier(request: FastifyRequest) {
      request.supplierLink = await admit('supplier', request, (token) => findOpenSupplierLink(db, token))
    },
    async shared(request: FastifyRequest) {
      request.sharedLink = await admit('shared', request, (token) => findOpenSharedLink(db, token))
    },
    async calendar(request: FastifyRequest) {
      request.calendar = await admit('calendar', request, (token) => findOpenCalendar(db, token))
    },
  } satisfies Record<LinkKind, (request: FastifyRequest) => Promise<void>>
}
