import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks 1.0, signatures `v1`: HMAC-SHA256 of the identifier, the time and the body. */

const prefix = 'whsec_'

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

type Message = { id: string; seconds: number; body: string }

/** The headers of a request. While a secret is replaced, there is a signature with each of them. */
export function signedHeaders(secrets: string[], { id, seconds, body }: Message): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
