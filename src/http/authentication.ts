import type { IncomingMessage } from 'node:http'
import { Refusal } from '../contract/refusals.js'
import { isApiKey } from '../domain/api-key.js'
import type { Database } from '../storage/database.js'
import { hashTextOfKey } from '../storage/key-hash.js'
import type { KeyLookup } from '../storage/key-lookup.js'
import { findAccountHolder, type KeyHolder } from '../storage/keys.js'
import { handedOver } from './handed-over.js'

/** Who is calling: `Authorization: Bearer <key>`. */
export async function authenticate(
  db: Database,
  lookup: KeyLookup,
  request: IncomingMessage,
  demoAccount: string | undefined,
): Promise<KeyHolder> {
  const { caller } = handedOver(request)
  if (caller) return caller
  const { authorization } = request.headers
  if (authorization === undefined) {
    const demo = demoAccount !== undefined && isLocal(request) && (await findAccountHolder(db, demoAccount))
    if (demo) return demo
    throw new Refusal('missing_key')
  }
  const key = bearerOf(authorization)
  // A mistyped key is told by its checksum, without a look at the database.
  const holder = key !== undefined && isApiKey('account', key) && (await lookup.find(hashTextOfKey(key)))
  if (!holder) throw new Refusal('invalid_key')
  return holder
}

export function bearerOf(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1]
}

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

// The host that was asked for counts too: a foreign page must not reach the sandbox by a name that it made
// resolve to this machine, nor by a proxy that runs on it.
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return (
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    headers['x-forwarded-for'] === undefined
  )
}
