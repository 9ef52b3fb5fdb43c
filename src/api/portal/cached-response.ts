import type { Principal } from '../../store/keys.js'
import { etagOf } from '../cache/etag.js'
import type { CachedResponse, ResponseCache } from '../cache/response-cache.js'

/**
 * Caches portal responses that depend only on the account's data and the person's current date. The revision was read with
 * the session, before rendering, so a response is never older than its cache key.
 */
export async function cachedResponse(
  cache: ResponseCache,
  { account_id, revision, secrets }: Principal,
  { url, today }: { url: string; today: string },
  render: () => Promise<string>,
): Promise<CachedResponse> {
  const cacheKey = `${account_id} portal ${revision} ${secrets.epoch}`
  const address = `${today} ${url}`
  return cache.find(cacheKey, address) ?? cache.store(cacheKey, address, renderedResponse(await render()))
}

export function renderedResponse(text: string): CachedResponse {
  return { etag: etagOf(text), body: Buffer.from(text) }
}
