import { systemTime } from '../../clock/clock.js'
import type { LeasedFeed } from '../../store/feed-progress.js'
import { CarrierFailure, type CarrierResponse, type RequestOptions, requestCarrier } from './carrier-request.js'
import { failureOf } from './feed-page.js'

/** Access tokens of carriers (OAuth 2.0, client credentials): each process asks for its own, and uses it until it ends. */

type Client = { token_url: string; client_id: string; scope: string | null; secret: string }
type Token = { value: string; until: number; of: string }

// Without `expires_in`, and before the end that it says: clocks differ, and a request takes its time.
const usualSeconds = 300
const marginSeconds = 30

export class AccessTokens {
  #tokens = new Map<string, Token>()

  /** The token of a feed, requested if there is none that works with these settings. */
  async tokenFor(feed_id: string, client: Client, options: () => RequestOptions): Promise<string> {
    const of = JSON.stringify(client)
    const known = this.#tokens.get(feed_id)
    if (known && known.of === of && known.until > systemTime()) return known.value
    const { value, seconds } = await requestToken(client, options)
    this.#tokens.set(feed_id, { value, until: systemTime() + Math.max(0, seconds - marginSeconds) * 1000, of })
    return value
  }

  /** The carrier does not accept it any more. */
  forget(feed_id: string): void {
    this.#tokens.delete(feed_id)
  }
}

/** What is needed for a token; undefined for feeds whose key is sent as it is. */
export function tokenClientOf(
  { token_url, client_id, scope }: LeasedFeed,
  secret: string | undefined,
): Client | undefined {
  if (token_url === null || client_id === null) return undefined
  if (secret === undefined) throw new CarrierFailure('The secret of the client is missing: set it again.')
  return { token_url, client_id, scope, secret }
}

/** The client proves itself in the header, as the standard has it; to carriers that refuse that, in the body. */
async function requestToken(
  client: Client,
  options: () => RequestOptions,
): Promise<{ value: string; seconds: number }> {
  let response = await askFor(client, 'header', options())
  if (response.status === 400 || response.status === 401) response = await askFor(client, 'body', options())
  if (response.status !== 200) {
    const { message, retryAfter } = failureOf(response.status, response.headers)
    throw new CarrierFailure(`No token: ${message}`, { retryAfter })
  }
  return tokenIn(response)
}

async function askFor(
  { token_url, client_id, secret, scope }: Client,
  where: 'header' | 'body',
  options: RequestOptions,
): Promise<CarrierResponse> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== null && { scope }) })
  if (where === 'body') {
    form.set('client_id', client_id)
    form.set('client_secret', secret)
  }
  const credentials = [client_id, secret].map((part) => encodeURIComponent(part)).join(':')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(where === 'header' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  }
  return requestCarrier(new URL(token_url), headers, { ...options, body: form.toString() })
}

const form = /^[\x21-\x7e]{1,16000}$/

function tokenIn({ content }: CarrierResponse): { value: string; seconds: number } {
  let given: { access_token?: unknown; expires_in?: unknown } | null
  try {
    given = JSON.parse(content.toString()) as typeof given
  } catch {
    given = null
  }
  const value = given?.access_token
  if (typeof value !== 'string' || !form.test(value))
    throw new CarrierFailure('The response of the carrier has no token.')
  const seconds = Number(given?.expires_in ?? usualSeconds)
  return { value, seconds: Number.isFinite(seconds) ? seconds : usualSeconds }
}
