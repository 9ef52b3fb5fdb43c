import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../contract/refusals.js'
import { csrfTokenOf } from '../../portal-api/session-answer.js'
import { findSession, longestSession, type SessionHolder } from '../../storage/sessions.js'
import type { Service } from '../service.js'
import { cookieFor, readCookie } from './cookies.js'

/** The cookie of a session, and whether a request that comes with it was meant by whoever has it. */

const name = 'waybill_session'

export function sessionCookie(request: IncomingMessage, publicUrl: string | undefined, token: string): string {
  return cookieFor(request, publicUrl, { name, value: token, seconds: Math.floor(longestSession / 1000) })
}

export function endedCookie(request: IncomingMessage, publicUrl: string | undefined): string {
  return cookieFor(request, publicUrl, { name, value: '', seconds: 0 })
}

export type SignedIn = { session: SessionHolder; token: string }

/** Undefined for somebody without a session. One that has ended is refused: it must not come to speak for anybody else. */
export async function findSignedIn(
  { db, publicUrl }: Pick<Service, 'db' | 'publicUrl'>,
  request: IncomingMessage,
): Promise<SignedIn | undefined> {
  const token = readCookie(request, publicUrl, name)
  if (token === undefined || !/^[\w-]{32}$/.test(token)) return undefined
  const session = await findSession(db, token)
  if (!session) throw new Refusal('not_signed_in')
  return { session, token }
}

/** The same where it is only asked whether somebody is signed in: whose session has ended is nobody. */
export async function findAnybody(
  service: Pick<Service, 'db' | 'publicUrl'>,
  request: IncomingMessage,
): Promise<SignedIn | undefined> {
  try {
    return await findSignedIn(service, request)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_signed_in') return undefined
    throw error
  }
}

/** Refuses what another page made the browser send: that has no token of the session, and tells where it comes from. */
export function refuseForgery(request: IncomingMessage, token: string, publicUrl: string | undefined): void {
  refuseForeignOrigin(request, publicUrl)
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''))
  const wanted = Buffer.from(csrfTokenOf(token))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Refusal('foreign_origin')
}

export function refuseForeignOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Refusal('foreign_origin')
  if (headers.origin === undefined) return
  const host = hostOf(headers.origin)
  const isOwn = host !== undefined && (host === headers.host || host === hostOf(publicUrl ?? ''))
  if (!isOwn) throw new Refusal('foreign_origin')
}

// A page without an origin of its own says `null`.
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
