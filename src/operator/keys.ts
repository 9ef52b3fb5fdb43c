import { randomBytes } from 'node:crypto'
import type { Scope } from '../contract/operations.js'
import type { OperatorRole } from '../contract/ops/accounts.js'
import { Refusal } from '../contract/refusals.js'
import { formatApiKey } from '../domain/api-key.js'
import type { Database } from '../storage/database.js'
import { countWorkingKeys, createKey, findKeyAccount, revokeKey } from '../storage/keys.js'
import { createOperator } from '../storage/operators.js'
import { type AccountId, type Transaction, transaction } from '../storage/transaction.js'

export type KeyTerms = { scopes: Scope[]; name?: string | undefined; expires_at?: Date | undefined }
export type IssuedKey = { key_id: string; key: string }

/** Makes a key for an account. Only its hash is kept: this is the one time it can be shown. */
export async function issueKey(
  db: Database,
  account: AccountId,
  terms: KeyTerms,
  author = 'command-line',
): Promise<IssuedKey> {
  return transaction(db, account, author, (tx) => issueKeyIn(tx, account, terms))
}

// Each has a rate limit of its own: without a limit to their number there would be none to anything.
const mostKeys = 100

export async function issueKeyIn(tx: Transaction, account: AccountId, terms: KeyTerms): Promise<IssuedKey> {
  if ((await countWorkingKeys(tx.sql, account)) >= mostKeys) throw new Refusal('too_many_keys')
  const created = { key_id: identifier('key'), key: formatApiKey('account', randomBytes(24)) }
  await createKey(tx, account, { ...created, ...terms })
  return created
}

/** Ends a key, whoever's it is: it stops working at once, everywhere. False when there is no such key. */
export async function endKey(db: Database, keyId: string, author = 'command-line'): Promise<boolean> {
  const account = await findKeyAccount(db, keyId)
  if (account === undefined) return false
  await transaction(db, account, author, (tx) => revokeKey(tx, account, keyId))
  return true
}

/** Makes an operator of the forwarder, with a key that is shown this once. */
export async function createOperatorWithKey(
  db: Database,
  given: { name: string; role: OperatorRole; expires_at?: Date | undefined },
): Promise<{ operator_id: string; key: string }> {
  const created = { operator_id: identifier('op'), key: formatApiKey('operator', randomBytes(24)) }
  await createOperator(db, { ...created, ...given })
  return created
}

function identifier(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`
}
