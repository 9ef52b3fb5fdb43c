import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import type { Transaction } from '../../ledger/transaction.js'
import { type Actor, commandLine, recordAudit } from '../../store/audit.js'
import { findKeyAccount, listKeyRows, listUsedKeys, setKeyRevoked } from '../../store/keys.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { keyOf, usedKeyOf } from './key-record.js'

export const revokeKey: OperatorHandler<'revokeKey'> = async ({ tx, account, actor }, { params: { key_id } }) => {
  await revokeKeyIn(tx, account, key_id, actor)
  const key = (await listKeyRows(tx.sql, account)).find((each) => each.key_id === key_id)
  if (!key) throw new Refusal('key_not_found')
  return keyOf(key)
}

export const revokeOwnKey: PortalHandler<'revokeOwnKey'> = async (
  { db, account, author, actor },
  { params: { key_id } },
) =>
  commit(db, account, author, async (tx) => {
    await revokeKeyIn(tx, account, key_id, actor)
    const key = (await listUsedKeys(tx.sql, account)).find((each) => each.key_id === key_id)
    if (!key) throw new Refusal('key_not_found')
    return usedKeyOf(key)
  })

/** Revokes a key of any account: it stops working at once, on every process. False if there is no such key. */
export async function revokeAnyKey(db: Database, keyId: string, actor = commandLine): Promise<boolean> {
  const account = await findKeyAccount(db, keyId)
  if (account === undefined) return false
  await commit(db, account, actor.actor, (tx) => revokeKeyIn(tx, account, keyId, actor))
  return true
}

async function revokeKeyIn(tx: Transaction, account: AccountId, key_id: string, actor: Actor): Promise<void> {
  const revoked = await setKeyRevoked(tx, account, key_id)
  if (!revoked) return
  await recordAudit(tx.sql, account, actor, { kind: 'key', action: 'key_revoked', subject: key_id, details: revoked })
}
