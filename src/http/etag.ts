import { hash } from 'node:crypto'

/**
 * Validators are made of revisions, not of bytes: a conditional request that matches costs no body. They are
 * weak, because the compressed and the plain form share them.
 */
export function etagOf(...parts: (string | number)[]): string {
  return `W/"${hash('sha256', parts.join('\n'), 'base64url').slice(0, 22)}"`
}

/** Asked of a resource that exists: `*` matches any. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  // As it was sent, which is how nearly everybody asks: the rest would cost as much as finding the answer.
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
