import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts and authenticates values with a key derived from the database's secret, a different one for each purpose. */

const algorithm = 'aes-256-gcm'
const tagLength = 16
const nonceLength = 12

const labels = {
  /** Values that are stored in a browser. */
  browser: 'waybill: what a browser keeps',
  /** Secrets of authenticator apps. */
  totp: 'waybill: secrets of authenticator apps',
  /** Keys for the interfaces of carriers, and secrets that carriers sign with. */
  feed: 'waybill: secrets of feeds',
  /** Secrets that requests to endpoints of customers are signed with. */
  webhook: 'waybill: secrets of webhooks',
  /** Mails that wait to be sent, with links that let people in. */
  mail: 'waybill: mails that wait',
  /** Links that end mails. */
  unsubscribe: 'waybill: links that end mails',
} as const
type Purpose = keyof typeof labels

function keyOf(secret: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', labels[purpose], 32))
}

export function encrypt(secret: string, purpose: Purpose, content: object): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, keyOf(secret, purpose), nonce)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Returns undefined if the value was altered or encrypted with another secret, as before a restore. */
export function decrypt(secret: string, purpose: Purpose, text: string): unknown {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < nonceLength + tagLength) return undefined
  const decipher = createDecipheriv(algorithm, keyOf(secret, purpose), bytes.subarray(0, nonceLength))
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  try {
    const content = Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()])
    return JSON.parse(content.toString())
  } catch {
    return undefined
  }
}
