import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { systemTime } from '../../clock/clock.js'
import type { KeyCreate } from '../../contract/operator/accounts.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { formatApiKey } from '../../domain/accounts/api-key.js'
import { isNetwork } from '../../domain/accounts/networks.js'
import { day, minute } from '../../domain/dates/local-time.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, commandLine, recordAudit } from '../../store/audit.js'
import { countWorkingKeys, findMaxKeyDays, insertKey } from '../../store/keys.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import type { KeyTerms } from './key-record.js'
import { mailNewKey, mailOperatorKey } from './mail-new-key.js'

export type IssuedKey = { key_id: string; key: string }

export const createKey: OperatorHandler<'createKey'> = async (context, { body }) => {
  const created = await issueKeyIn(context.tx, context.account, keyTerms(body), context.actor)
  await mailOperatorKey(context, created)
  return created
}

export const createOwnKey: PortalHandler<'createOwnKey'> = async (context, { body }) => {
  const created = await issueKey(context.db, context.account, keyTerms(body), context.actor)
  await mailNewKey(context, created)
  return created
}

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
  const created = await insertNewKey(tx, account, terms, actor)
  const details = { ...terms, hint: created.key.slice(-4) }
  await recordAudit(tx.sql, account, actor, { kind: 'key', action: 'key_created', subject: created.key_id, details })
  return created
}

/** Stores a new key, within the limits and rules of the account. */
export async function insertNewKey(
  tx: Transaction,
  account: AccountId,
  terms: KeyTerms & { replaces?: string | undefined },
  actor: Actor,
): Promise<IssuedKey> {
  await refuseExpiry(tx, account, terms.expires_at)
  const { all, own } = await countWorkingKeys(tx.sql, account, tx.author)
  if (all >= mostKeys.ofAccount) throw new Refusal('too_many_keys')
  if (own >= mostKeys.ofPerson && tx.author.startsWith('person:')) {
    throw new Refusal('too_many_keys', `You have created ${own} keys that are in use. Nothing was created.`)
  }
  const created = { key_id: `key_${randomBytes(8).toString('hex')}`, key: formatApiKey('account', randomBytes(24)) }
  await insertKey(tx, account, { ...created, ...terms }, actor)
  return created
}

// A minute more, since the client has computed the expiry earlier.
const tolerance = minute

async function refuseExpiry(tx: Transaction, account: AccountId, expires_at: Date | undefined): Promise<void> {
  const maxDays = await findMaxKeyDays(tx.sql, account)
  if (maxDays === undefined) return
  const latest = systemTime() + maxDays * day + tolerance
  if (!expires_at || expires_at.getTime() > latest)
    throw invalid([
      { pointer: '/expires_at', detail: `must be within ${maxDays} days: the account requires that keys expire` },
    ])
}

export function futureTime(pointer: string, text: string): Date {
  const time = new Date(text)
  if (time.getTime() <= systemTime()) throw invalid([{ pointer, detail: 'must be in the future' }])
  return time
}

/** The terms of a new key, whose expiry and networks are checked. */
function keyTerms({ name, scopes, expires_at, networks }: Static<typeof KeyCreate>): KeyTerms {
  const wrong = networks?.findIndex((network) => !isNetwork(network)) ?? -1
  if (wrong >= 0) {
    throw invalid([
      { pointer: `/networks/${wrong}`, detail: 'must be an IP address or a network, such as 203.0.113.0/24' },
    ])
  }
  return {
    name,
    scopes: scopes ? [...new Set(scopes)] : ['read', 'write'],
    expires_at: expires_at === undefined ? undefined : futureTime('/expires_at', expires_at),
    networks: networks && [...new Set(networks)],
  }
}
