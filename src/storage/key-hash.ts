import { createHash, hash } from 'node:crypto'

// A key is 192 random bits: one round of a fast hash keeps it as safe as a slow one would.
export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The same as text: how a key is spoken of without telling it. */
export function hashTextOfKey(key: string): string {
  return hash('sha256', key, 'base64')
}
