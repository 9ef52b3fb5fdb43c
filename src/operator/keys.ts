import { randomBytes } from 'node:crypto'
import type { Scope } from '../contract/operations.js'
import { formatApiKey } from '../domain/api-key.js'
import type { Database } from '../storage/database.js'
import { createKey } from '../storage/keys.js'
import type { AccountId } from '../storage/transaction.js'

/** Makes a key for an account. Only its hash is kept: this is the one time it can be shown. */
export async function issueKey(
  db: Database,
  account: AccountId,
  given: { scopes: Scope[]; name?: string | undefined; expires_at?: Date | undefined },
): Promise<{ key_id: string; key: string }> {
  const created = { key_id: `key_${randomBytes(8).toString('hex')}`, key: formatApiKey(randomBytes(24)) }
  await createKey(db, account, { ...created, ...given })
  return created
}
