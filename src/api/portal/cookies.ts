import type { IncomingMessage } from 'node:http'
import { namesLoopback } from '../transport/loopback.js'

/** Host-only, HttpOnly, SameSite cookies. */

export type CookieName =
  | 'waybill_session'
  | 'waybill_office'
  | 'waybill_provider'
  | 'waybill_office_provider'
  | 'waybill_pending'
  | 'waybill_office_pending'
  | 'waybill_device'

// On this machine itself there is usually no TLS certificate.
function isInsecureLocal(request: IncomingMessage, publicUrl: string | undefined): boolean {
  return namesLoopback(request) && !publicUrl?.startsWith('https:')
}

// Browsers accept the __Host- prefix only from the host itself and over TLS. Without it, a sibling domain could set the
// cookie.
function fullName(request: IncomingMessage, publicUrl: string | undefined, name: CookieName): string {
  return isInsecureLocal(request, publicUrl) ? name : `__Host-${name}`
}

export function cookieFor(
  request: IncomingMessage,
  publicUrl: string | undefined,
  { name, value, seconds }: { name: CookieName; value: string; seconds: number },
): string {
  const cookie = `${fullName(request, publicUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  return isInsecureLocal(request, publicUrl) ? cookie : `${cookie}; Secure`
}

export function readCookie(
  request: IncomingMessage,
  publicUrl: string | undefined,
  name: CookieName,
): string | undefined {
  const prefix = `${fullName(request, publicUrl, name)}=`
  const pairs = request.headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length)
}
