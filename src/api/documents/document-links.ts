import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../database/account-id.js'

/**
 * A document link contains account, document and expiry, and is signed. It stays the same for a whole time window, so that
 * responses keep their ETag, and is valid for one to two windows.
 */
const windowSeconds = 15 * 60
const signatureLength = 16

export function currentWindow(nowSeconds: number): number {
  return Math.floor(nowSeconds / windowSeconds)
}

export type LinkedDocument = { account: AccountId; id: string }

export const documentPath = '/documents/:token'

export function documentLinkPath(secret: string, document: LinkedDocument, window: number): string {
  return documentPath.replace(':token', signDocument(secret, document, window))
}

function signDocument(secret: string, { account, id }: LinkedDocument, window: number): string {
  const content = Buffer.alloc(24)
  content.writeUInt32BE(account, 0)
  content.writeUInt32BE((window + 2) * windowSeconds, 4)
  content.write(id.replaceAll('-', ''), 8, 'hex')
  return Buffer.concat([content, signatureOf(secret, content)]).toString('base64url')
}

/** Returns undefined if the token was altered or has expired. */
export function verifyToken(secret: string, token: string, nowSeconds: number): LinkedDocument | undefined {
  const bytes = Buffer.from(token, 'base64url')
  // Buffer decodes leniently: without this check several spellings of a token would be valid.
  if (bytes.length !== 24 + signatureLength || bytes.toString('base64url') !== token) return undefined
  const content = bytes.subarray(0, 24)
  if (!timingSafeEqual(bytes.subarray(24), signatureOf(secret, content))) return undefined
  if (content.readUInt32BE(4) <= nowSeconds) return undefined
  return {
    account: content.readUInt32BE(0),
    id: content.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

function signatureOf(secret: string, content: Buffer): Buffer {
  return createHmac('sha256', secret).update(content).digest().subarray(0, signatureLength)
}
