import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts and authenticates values that are stored in a browser, with a key derived from the database's secret. */

const algorithm = 'aes-256-gcm'
const tagLength = 16
const nonceLength = 12

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'waybill: what a browser keeps', 32))
}

export function encrypt(secret: string, content: object): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Returns undefined if the value was altered or encrypted with another secret, as before a restore. */
export function decrypt(secret: string, text: string): unknown {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < nonceLength + tagLength) return undefined
  const decipher = createDecipheriv(algorithm, keyOf(secret), bytes.subarray(0, nonceLength))
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  try {
    const content = Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()])
    return JSON.parse(content.toString())
  } catch {
    return undefined
  }
}
