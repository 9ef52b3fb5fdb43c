import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/**
 * An answer that shows a key is remembered sealed with the caller's own key, which is kept nowhere: only whoever asked
 * first can have it again.
 */

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

export function sealAnswer(secret: string, body: string): string {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, keyOf(secret), nonce)
  const sealed = Buffer.concat([sealing.update(body, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url')
}

export function openAnswer(secret: string, text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const opening = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, nonceLength))
  opening.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Buffer.concat([opening.update(bytes.subarray(nonceLength + tagLength)), opening.final()]).toString('utf8')
}

// Not the hash that keys are looked up by: that one is stored.
function keyOf(secret: string): Buffer {
  return hash('sha256', `sealed answer\n${secret}`, 'buffer')
}
