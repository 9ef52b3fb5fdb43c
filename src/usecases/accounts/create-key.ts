import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { KeyCreate } from '../../contract/operator/accounts.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { formatApiKey } from '../../domain/accounts/api-key.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, commandLine, recordAudit } from '../../store/audit.js'
import { countWorkingKeys, insertKey } from '../../store/keys.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import type { KeyTerms } from './key-record.js'

export type IssuedKey = { key_id: string; key: string }

export const createKey: OperatorHandler<'createKey'> = async ({ tx, account, actor }, { body }) =>
  issueKeyIn(tx, account, keyTerms(body), actor)

export const createOwnKey: PortalHandler<'createOwnKey'> = async ({ db, account, actor }, { body }) =>
  issueKey(db, account, keyTerms(body), actor)

/** Creates a key for an account. Only its hash is stored: the key can be shown only now. */
export async function issueKey(
  db: Database,
  account: AccountId,
  terms: KeyTerms,
  actor = commandLine,
): Promise<IssuedKey> {
  return commit(db, account, actor.actor, (tx) => issueKeyIn(tx, account, terms, actor))
}

// One person cannot take all keys that the account may have.
const mostKeys = { ofAccount: 100, ofPerson: 50 }

export async function issueKeyIn(
  tx: Transaction,
  account: AccountId,
  terms: KeyTerms,
  actor: Actor = { actor: tx.author },
): Promise<IssuedKey> {
  const { all, own } = await countWorkingKeys(tx.sql, account, tx.author)
  if (all >= mostKeys.ofAccount) throw new Refusal('too_many_keys')
  if (own >= mostKeys.ofPerson && tx.author.startsWith('person:')) {
    throw new Refusal('too_many_keys', `You have created ${own} keys that are in use. Nothing was created.`)
  }
  const created = { key_id: `key_${randomBytes(8).toString('hex')}`, key: formatApiKey('account', randomBytes(24)) }
  await insertKey(tx, account, { ...created, ...terms })
  const details = { ...terms, hint: created.key.slice(-4) }
  await recordAudit(tx.sql, account, actor, { kind: 'key', action: 'key_created', subject: created.key_id, details })
  return created
}

/** The terms of a new key; an expiry in the past is refused. */
function keyTerms({ name, scopes, expires_at }: Static<typeof KeyCreate>): KeyTerms {
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.now()) {
    throw invalid([{ pointer: '/expires_at', detail: 'must be in the future' }])
  }
  return {
    name,
    scopes: scopes ? [...new Set(scopes)] : ['read', 'write'],
    expires_at: expires_at === undefined ? undefined : new Date(expires_at),
  }
}
