import { hash } from 'node:crypto'

/**
 * ETags are derived from revisions where possible, so that a matching conditional request renders no body. They are weak
 * because compressed and plain responses share them.
 */
export function etagOf(...parts: (string | number)[]): string {
  return `W/"${hash('sha256', parts.join('\n'), 'base64url').slice(0, 22)}"`
}

/** Evaluates If-None-Match for an existing resource: `*` matches any. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  // Nearly all clients send the tag unchanged; parsing the list costs as much as a cache lookup.
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
