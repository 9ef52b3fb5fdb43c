import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Site } from '../../contract/portal/sites.js'
import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { pendingSignInSeconds } from '../../store/pending-sign-ins.js'
import { findSession, longestSession, type OpenSession } from '../../store/sessions.js'
import { csrfTokenOf } from '../../usecases/people/session-response.js'
import type { Service } from '../service.js'
import { type CookieName, cookieFor, readCookie } from './cookies.js'

/** Authentication by session cookie, and protection against cross-site request forgery. */

// With names of their own, a browser can be signed in at both sites.
const names = { portal: 'waybill_session', office: 'waybill_office' } as const satisfies Record<Site, CookieName>
const pendingNames = {
  portal: 'waybill_pending',
  office: 'waybill_office_pending',
} as const satisfies Record<Site, CookieName>

/** A site, and the URL that people reach it by, if it is known. */
export type SiteAddress = { site: Site; url: string | undefined }

export function siteAddress(
  { serves, publicUrl, officeUrl }: Pick<Service, 'serves' | 'publicUrl' | 'officeUrl'>,
  site: Site,
): SiteAddress {
  // Where customers are served as well, the office is at the same address.
  const ofOffice = officeUrl ?? (serves.customers ? publicUrl : undefined)
  return { site, url: site === 'office' ? ofOffice : publicUrl }
}

export function sessionCookie(request: IncomingMessage, { site, url }: SiteAddress, token: string): string {
  const seconds = Math.floor(longestSession / 1000)
  return cookieFor(request, url, { name: names[site], value: token, seconds })
}

export function expiredSessionCookie(request: IncomingMessage, { site, url }: SiteAddress): string {
  return cookieFor(request, url, { name: names[site], value: '', seconds: 0 })
}

/** The cookie of a sign-in that needs a second factor; without a token, one that ends it. */
export function pendingCookie(request: IncomingMessage, { site, url }: SiteAddress, token?: string): string {
  const seconds = token === undefined ? 0 : pendingSignInSeconds
  return cookieFor(request, url, { name: pendingNames[site], value: token ?? '', seconds })
}

export function readPendingToken(request: IncomingMessage, { site, url }: SiteAddress): string | undefined {
  const token = readCookie(request, url, pendingNames[site])
  return token !== undefined && isToken(token) ? token : undefined
}

function isToken(text: string): boolean {
  return /^[\w-]{32}$/.test(text)
}

/** The session of a request, with the token of its cookie. */
export type AuthenticatedSession = { session: OpenSession; token: string }

/** Returns undefined if there is no session cookie. An expired session is refused: it must not fall back to the demo account. */
export async function authenticateSession(
  db: Database,
  { site, url }: SiteAddress,
  request: IncomingMessage,
): Promise<AuthenticatedSession | undefined> {
  const token = readCookie(request, url, names[site])
  if (token === undefined || !isToken(token)) return undefined
  const session = await findSession(db, site, token)
  if (!session) throw new Refusal('not_signed_in')
  return { session, token }
}

/** Returns undefined for an expired session as well. */
export async function findAuthenticatedSession(
  db: Database,
  address: SiteAddress,
  request: IncomingMessage,
): Promise<AuthenticatedSession | undefined> {
  try {
    return await authenticateSession(db, address, request)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_signed_in') return undefined
    throw error
  }
}

/** Refuses requests that a page of another origin made the browser send: they lack the CSRF token of the session. */
export function refuseForgery(request: IncomingMessage, token: string, publicUrl: string | undefined): void {
  refuseForeignOrigin(request, publicUrl)
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''))
  const expected = Buffer.from(csrfTokenOf(token))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refusal('foreign_origin')
}

export function refuseForeignOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('foreign_origin')
  if (headers.origin === undefined) return
  const host = hostOf(headers.origin)
  const isOwn = host !== undefined && (host === headers.host || host === hostOf(publicUrl ?? ''))
  if (!isOwn) throw new Refusal('foreign_origin')
}

// Opaque origins are sent as `null`.
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
