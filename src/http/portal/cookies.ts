import type { IncomingMessage } from 'node:http'
import { namesLoopback } from '../loopback.js'

/** Cookies of this host alone, which no script can read and no foreign page can make the browser write with. */

export type CookieName = 'waybill_session' | 'waybill_provider'

// On this machine itself there is nobody in between, and no certificate.
function isPlain(request: IncomingMessage, publicUrl: string | undefined): boolean {
  return namesLoopback(request) && !publicUrl?.startsWith('https:')
}

// Browsers take one with this prefix from the host itself alone, and only over TLS: a plain one may have been planted
// by whoever serves another name of the same domain.
function fullName(request: IncomingMessage, publicUrl: string | undefined, name: CookieName): string {
  return isPlain(request, publicUrl) ? name : `__Host-${name}`
}

export function cookieFor(
  request: IncomingMessage,
  publicUrl: string | undefined,
  { name, value, seconds }: { name: CookieName; value: string; seconds: number },
): string {
  const cookie = `${fullName(request, publicUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  return isPlain(request, publicUrl) ? cookie : `${cookie}; Secure`
}

export function readCookie(
  request: IncomingMessage,
  publicUrl: string | undefined,
  name: CookieName,
): string | undefined {
  const start = `${fullName(request, publicUrl, name)}=`
  const pairs = request.headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}
