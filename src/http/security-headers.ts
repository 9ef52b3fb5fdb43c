import { createHash } from 'node:crypto'

/** What answers tell a browser about what may be done with them. */

const aYear = 365 * 24 * 60 * 60

/**
 * For every answer that does not say otherwise: it is data for whoever asked. Nothing in it is run or shown in a frame,
 * and no page of another origin gets it as a picture or a script. No origin is ever allowed to read it (CORS).
 */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    // An address may hold what opens a document, or lets somebody choose a password.
    'referrer-policy': 'no-referrer',
    // Who is reached over TLS is not to be reached without it.
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${aYear}` }),
  }
}

/** For pages that people look at. */
export function pageHeaders(policy: Record<string, string>) {
  const whole = { 'default-src': "'none'", ...policy, 'frame-ancestors': "'none'", 'base-uri': "'none'" }
  return {
    'content-security-policy': Object.entries(whole)
      .map(([rule, sources]) => `${rule} ${sources}`)
      .join('; '),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** How a policy names a style or a script that stands in a page: by what it is, so that no other is taken. */
export function sourceOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
