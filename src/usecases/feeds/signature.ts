import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashTextOfKey } from '../../store/key-hash.js'

/** How carriers prove that a message is theirs. */

const signatureForm = /^\s*sha256=([0-9a-f]{64})\s*$/i

/** The digest of a `Notification-Signature` header; undefined if it has another form. */
export function readSignature(header: string | undefined): Buffer | undefined {
  const [, digits] = signatureForm.exec(header ?? '') ?? []
  return digits === undefined ? undefined : Buffer.from(digits, 'hex')
}

/** DCSA 2.2: the signature covers the bytes of the body; the key is the secret, decoded from base64. */
export function isSigned(content: Buffer, signature: Buffer, secrets: string[]): boolean {
  return secrets.some((secret) => {
    const expected = createHmac('sha256', Buffer.from(secret, 'base64')).update(content).digest()
    return timingSafeEqual(expected, signature)
  })
}

/** DCSA 3.0 has no signature: the carrier sends a key of ours, of which the hash is stored. */
export function isKnownKey(key: string, hashes: string[]): boolean {
  const given = Buffer.from(hashTextOfKey(key))
  return hashes.some((hash) => {
    const stored = Buffer.from(hash)
    return stored.length === given.length && timingSafeEqual(stored, given)
  })
}
