import { systemTime } from '../clock/clock.js'
/** Verifies signatures of webhooks (Standard Webhooks, `v1`) with Web Crypto. Needs no other package. */

/** A webhook that must not be trusted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** The secret of the endpoint, `whsec_...`; several while one is being replaced. */
  secret: string | string[]
  /** Seconds by which the clocks may differ and a message may be old: 300 unless given. */
  tolerance?: number
  /** The current time in milliseconds. */
  now?: number
}

/**
 * Returns the parsed body of a webhook whose signature is valid, and throws a `WebhookVerificationError` otherwise. The body
 * has to be the bytes or text as received: parsed and written again, it has another signature.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  { secret, tolerance = 300, now = systemTime() }: VerifyOptions,
): Promise<unknown> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('a webhook- header is missing')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('the timestamp is not a number of seconds')
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) {
    throw new WebhookVerificationError('the timestamp is too far from the current time')
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  // At most a few signatures are sent while a secret is replaced.
  const given = signatures
    .split(' ', 10)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => decoded(each.slice(3)))
  for (const each of [secret].flat()) {
    const key = await keyOf(each)
    for (const signature of given) {
      // Compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return parsed(bytes)
    }
  }
  throw new WebhookVerificationError('no signature is valid')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? undefined : found
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decoded(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) throw new WebhookVerificationError('the secret is not `whsec_` and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(start.length + end.length)
  whole.set(start)
  whole.set(end, start.length)
  return whole
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    throw new WebhookVerificationError('the body is not JSON')
  }
}
