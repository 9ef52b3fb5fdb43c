import type { IncomingMessage } from 'node:http'
import { accountMoved, Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import type { KeyOwner } from '../../domain/accounts/api-key.js'
import { readAuthorization } from '../../domain/accounts/authorization.js'
import { hashTextOfKey } from '../../store/key-hash.js'
import { findAccountPrincipal, type Principal } from '../../store/keys.js'
import type { PrincipalLookup } from '../../store/principals.js'
import { authenticateSession, refuseForeignOrigin, refuseForgery } from '../portal/session-cookie.js'
import { requestState } from '../public/request-state.js'
import type { Service } from '../service.js'
import { isLocal } from '../transport/loopback.js'

/** Authenticates by `Authorization: Bearer <key>`, or by the session cookie of the portal. */
export async function authenticate(
  db: Database,
  lookup: PrincipalLookup,
  request: IncomingMessage,
  { demoAccount, publicUrl }: Pick<Service, 'demoAccount' | 'publicUrl'>,
): Promise<Principal> {
  const { principal, outcome } = requestState(request)
  if (principal) return principal
  if (outcome && 'error' in outcome) throw outcome.error
  const { authorization } = request.headers
  if (authorization === undefined) {
    const authenticated = await authenticateSession(db, { site: 'portal', url: publicUrl }, request)
    if (authenticated) {
      if (isWrite(request)) refuseForgery(request, authenticated.token, publicUrl)
      if (authenticated.session.mustEnrol) throw new Refusal('insufficient_scope', 'Set up a second factor first.')
      return authenticated.session.caller
    }
    const isDemo = demoAccount !== undefined && isLocal(request) && !hadSession(request)
    const demo = isDemo && (await findAccountPrincipal(db, demoAccount))
    if (demo) {
      // The demo account has no token against forgery.
      if (isWrite(request)) refuseForeignOrigin(request, publicUrl)
      return demo
    }
    throw new Refusal('missing_key')
  }
  const hash = hashTextOfKey(keyIn('account', authorization))
  const found = await (isWrite(request) ? lookup.read(hash) : lookup.find(hash))
  if (!found) throw new Refusal('invalid_key', unknownKey)
  return found
}

/** The same text for every well-formed key, so that it does not reveal which keys were ever issued. */
export const unknownKey = 'The key is unknown, expired or revoked.'

/** The key of the header. A mistyped key is recognized by its checksum, without a query. */
export function keyIn(owner: KeyOwner, authorization: string): string {
  const found = readAuthorization(owner, authorization)
  if ('mistake' in found) throw new Refusal('invalid_key', found.mistake)
  return found.key
}

function isWrite({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

// After a session has expired, the browser's writes must not go to the demo account.
function hadSession({ headers }: IncomingMessage): boolean {
  return headers['x-csrf-token'] !== undefined || headers.cookie?.includes('waybill_session=') === true
}

export function bearerOf(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1]
}

/** Refuses callers of an account that is suspended, or is served by another installation. */
export function refuseInactive({ isSuspended, hasMoved }: Principal): void {
  if (hasMoved) throw accountMoved()
  if (isSuspended) throw new Refusal('account_suspended')
}
