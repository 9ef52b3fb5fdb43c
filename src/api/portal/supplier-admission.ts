import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals.js'
import { findOpenSupplierLink, type OpenSupplierLink } from '../../store/supplier-links.js'
import { limitAttempts } from '../../usecases/people/attempt-limits.js'
import { rateLimitHeaders, sharedRateLimiter } from '../limits/rate-limit.js'
import type { Service } from '../service.js'
import { clientAddress, networkOf } from './client-address.js'

// A person with a phone needs a few requests a minute.
const requestsPerMinute = 60

/** Looks up the link for suppliers of a request, before its body is read. */
export function supplierAdmission({ db, trustedProxies, workerChannel }: Service) {
  const links = sharedRateLimiter(workerChannel, 'supplier links')
  return async (request: FastifyRequest): Promise<OpenSupplierLink> => {
    const token = request.headers['x-supplier-link']
    const isToken = typeof token === 'string' && /^[\w-]{16,128}$/.test(token)
    const link = isToken ? await findOpenSupplierLink(db, token) : undefined
    if (!link) {
      // Tokens cannot be guessed; whoever tries gets slower.
      const network = networkOf(clientAddress(request.raw, trustedProxies))
      await limitAttempts(db, [{ name: `supplier link from ${network}`, allowed: 50 }], 'rate_limited')
      throw new Refusal('supplier_link_not_valid')
    }
    rateLimitHeaders(links.count(link.link_id, requestsPerMinute), 'minute')
    return link
  }
}
