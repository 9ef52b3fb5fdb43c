import { createHash, hash } from 'node:crypto'

// Keys are 192 random bits: a fast hash is as safe as a slow one.
export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The hash as text: identifies a key without revealing it. */
export function hashTextOfKey(key: string): string {
  return hash('sha256', key, 'base64')
}
