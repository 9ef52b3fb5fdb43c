import type { AccountId } from '../database/account-id.js'
import type { Database, TransactionSql } from '../database/database.js'
import type { Device } from '../domain/people/device.js'
import { hashOfKey } from './key-hash.js'

/**
 * Read-only sessions in which one of the forwarder's people sees what a user sees. Such a session begins with the token of a link, which
 * is no session cookie, and is opened once: then it gets the token of its cookie.
 */

export const viewingMinutes = 60

type NewViewing = { token: string; session_id: string; viewer: string; viewer_name: string; address: string }

/** False if the user cannot sign in either. */
export async function createViewing(
  sql: TransactionSql,
  account: AccountId,
  person_id: string,
  { token, session_id, viewer, viewer_name, address }: NewViewing,
): Promise<boolean> {
  const created = await sql`
    insert into sessions (hash, account_id, person_id, session_id, signed_in_with, address, viewer, viewer_name, expires_at)
    select ${hashOfKey(token)}, account_id, person_id, ${session_id}, 'viewing', ${address}, ${viewer}, ${viewer_name},
      now() + interval '1 minute'
    from people join accounts using (account_id)
    where account_id = ${account} and person_id = ${person_id} and disabled_at is null and suspended_at is null
    returning 1`
  return created.length > 0
}

/** The identifier of the session; undefined if the link was used, or has expired. */
export async function openViewing(
  db: Database,
  link: string,
  session: Device & { token: string; address: string },
): Promise<string | undefined> {
  const { token, address, browser = null, system = null } = session
  const [opened] = await db<{ session_id: string }[]>`
    update sessions set hash = ${hashOfKey(token)}, address = ${address}, browser = ${browser}, system = ${system},
      created_at = now(), last_seen_at = now(), expires_at = now() + make_interval(mins => ${viewingMinutes})
    where hash = ${hashOfKey(link)} and signed_in_with = 'viewing' and expires_at > now()
    returning session_id`
  return opened?.session_id
}
