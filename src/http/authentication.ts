import type { IncomingMessage } from 'node:http'
import { Refusal } from '../contract/refusals.js'
import { isApiKey } from '../domain/api-key.js'
import type { Database } from '../storage/database.js'
import { hashTextOfKey } from '../storage/key-hash.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import { findAccountHolder, type KeyHolder } from '../storage/keys.js'
import { handedOver } from './handed-over.js'
import { isLocal } from './loopback.js'
import { findSignedIn, refuseForgery } from './portal/signed-in.js'
import type { Service } from './service.js'

/** Who is calling: `Authorization: Bearer <key>`, or somebody who is signed in to the portal. */
export async function authenticate(
  db: Database,
  lookup: KeyLookup,
  request: IncomingMessage,
  { demoAccount, publicUrl }: Pick<Service, 'demoAccount' | 'publicUrl'>,
): Promise<KeyHolder> {
  const { caller } = handedOver(request)
  if (caller) return caller
  const { authorization } = request.headers
  if (authorization === undefined) {
    const signedIn = await findSignedIn({ db, publicUrl }, request)
    if (signedIn) {
      if (request.method !== 'GET' && request.method !== 'HEAD') refuseForgery(request, signedIn.token, publicUrl)
      return signedIn.session.caller
    }
    const isDemo = demoAccount !== undefined && isLocal(request) && !wasSignedIn(request)
    const demo = isDemo && (await findAccountHolder(db, demoAccount))
    if (demo) return demo
    throw new Refusal('missing_key')
  }
  const key = bearerOf(authorization)
  // A mistyped key is told by its checksum, without a look at the database.
  const holder = key !== undefined && isApiKey('account', key) && (await lookup.find(hashTextOfKey(key)))
  if (!holder) throw new Refusal('invalid_key')
  return holder
}

// Whose session has just ended is not the demo account: what they go on writing would land there.
function wasSignedIn({ headers }: IncomingMessage): boolean {
  return headers['x-csrf-token'] !== undefined || headers.cookie?.includes('waybill_session=') === true
}

export function bearerOf(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1]
}
