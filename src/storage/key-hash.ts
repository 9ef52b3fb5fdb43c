import { createHash } from 'node:crypto'

// A key is 192 random bits: one round of a fast hash keeps it as safe as a slow one would.
export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
