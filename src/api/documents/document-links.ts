import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../database/account-id.js'

/**
 * A document link contains account, document and expiry, encrypted and authenticated. It stays the same for a whole time
 * window, so that responses keep their ETag, and is valid for one to two windows.
 */
const windowSeconds = 15 * 60

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const contentLength = 24
const tokenLength = nonceLength + tagLength + contentLength

export function currentWindow(nowSeconds: number): number {
  return Math.floor(nowSeconds / windowSeconds)
}

export type LinkedDocument = { account: AccountId; id: string }

export const documentPath = '/documents/:token'

export function documentLinkPath(secret: string, document: LinkedDocument, window: number): string {
  return documentPath.replace(':token', tokenOf(secret, document, window))
}

function tokenOf(secret: string, { account, id }: LinkedDocument, window: number): string {
  const content = Buffer.alloc(contentLength)
  content.writeUInt32BE(account, 0)
  content.writeUInt32BE((window + 2) * windowSeconds, 4)
  content.write(id.replaceAll('-', ''), 8, 'hex')
  const keys = keysOf(secret)
  // Derived from the content: the same document has the same link, and no two contents share a nonce.
  const nonce = createHmac('sha256', keys.nonce).update(content).digest().subarray(0, nonceLength)
  const cipher = createCipheriv(algorithm, keys.encryption, nonce)
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Returns undefined if the token was altered or has expired. */
export function verifyToken(secret: string, token: string, nowSeconds: number): LinkedDocument | undefined {
  const bytes = Buffer.from(token, 'base64url')
  // Buffer decodes leniently: without this check several spellings of a token would be valid.
  if (bytes.toString('base64url') !== token) return undefined
  const content = bytes.length === tokenLength ? decrypt(secret, bytes) : verifySigned(secret, bytes)
  if (!content || content.readUInt32BE(4) <= nowSeconds) return undefined
  return {
    account: content.readUInt32BE(0),
    id: content.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

function decrypt(secret: string, bytes: Buffer): Buffer | undefined {
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv(algorithm, keysOf(secret).encryption, nonce, { authTagLength: tagLength })
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()])
  } catch {
    return undefined
  }
}

/** Links of earlier releases show their content. Processes of one still issue them while an installation is updated. */
function verifySigned(secret: string, bytes: Buffer): Buffer | undefined {
  if (bytes.length !== contentLength + 16) return undefined
  const content = bytes.subarray(0, contentLength)
  const signature = createHmac('sha256', secret).update(content).digest().subarray(0, 16)
  return timingSafeEqual(bytes.subarray(contentLength), signature) ? content : undefined
}

type LinkKeys = { encryption: Buffer; nonce: Buffer }

// A list signs a thousand links with one secret.
let derived: { secret: string; keys: LinkKeys } | undefined

function keysOf(secret: string): LinkKeys {
  if (derived?.secret === secret) return derived.keys
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `waybill: document links, ${purpose}`, 32))
  derived = { secret, keys: { encryption: keyFor('encryption'), nonce: keyFor('nonce') } }
  return derived.keys
}
