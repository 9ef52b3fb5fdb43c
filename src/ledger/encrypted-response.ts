import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/**
 * A stored response that contains a new key is encrypted with the caller's own key, which is not stored: only the caller
 * of the first request can replay it.
 */

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

export function encryptResponse(secret: string, body: string): string {
  const nonce = randomBytes(nonceLength)
  const encryption = createCipheriv(cipher, keyOf(secret), nonce)
  const encrypted = Buffer.concat([encryption.update(body, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), encrypted]).toString('base64url')
}

export function decryptResponse(secret: string, text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const decryption = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, nonceLength))
  decryption.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Buffer.concat([decryption.update(bytes.subarray(nonceLength + tagLength)), decryption.final()]).toString(
    'utf8',
  )
}

// The prefix makes this differ from the stored hash that keys are looked up by.
function keyOf(secret: string): Buffer {
  return hash('sha256', `sealed answer\n${secret}`, 'buffer')
}
