import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What a browser keeps for us, and can neither read nor alter: sealed with the secret of the database. */

const cipher = 'aes-256-gcm'
const sealLength = 16
const startLength = 12

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'waybill: what a browser keeps', 32))
}

export function seal(secret: string, content: object): string {
  const start = randomBytes(startLength)
  const sealing = createCipheriv(cipher, keyOf(secret), start)
  const sealed = Buffer.concat([sealing.update(JSON.stringify(content)), sealing.final()])
  return Buffer.concat([start, sealing.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined for what was not sealed here. */
export function unseal(secret: string, text: string): unknown {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < startLength + sealLength) return undefined
  const opening = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, startLength))
  opening.setAuthTag(bytes.subarray(startLength, startLength + sealLength))
  try {
    const content = Buffer.concat([opening.update(bytes.subarray(startLength + sealLength)), opening.final()])
    return JSON.parse(content.toString())
  } catch {
    // Altered, or sealed with another secret, as before a restore.
    return undefined
  }
}
