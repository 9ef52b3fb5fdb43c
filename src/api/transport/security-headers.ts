import { createHash } from 'node:crypto'

const aYear = 365 * 24 * 60 * 60

/**
 * Default headers of every response: nothing in it is executed or framed, and pages of other origins cannot embed it. There
 * are no CORS headers, so no other origin can read it.
 */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    // URLs may contain tokens of document and password links.
    'referrer-policy': 'no-referrer',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${aYear}` }),
  }
}

/** Headers of HTML pages. */
export function pageHeaders(policy: Record<string, string>) {
  const directives = { 'default-src': "'none'", 'frame-ancestors': "'none'", 'base-uri': "'none'", ...policy }
  return {
    'content-security-policy': Object.entries(directives)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** The CSP hash source of an inline style or script. */
export function cspHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
