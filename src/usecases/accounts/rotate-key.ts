import type { Static } from 'typebox'
import { systemTime } from '../../clock/clock.js'
import type { KeyRotation } from '../../contract/operator/accounts.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { day } from '../../domain/dates/local-time.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, commandLine, recordAudit } from '../../store/audit.js'
import { findKeyAccount, findMaxKeyDays, type KeyRow, limitKey, listKeyRows } from '../../store/keys.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { futureTime, type IssuedKey, insertNewKey } from './create-key.js'
import { mailNewKey, mailOperatorKey } from './mail-new-key.js'

type Rotation = Static<typeof KeyRotation>

export const rotateKey: OperatorHandler<'rotateKey'> = async (context, { params: { key_id }, body }) => {
  const created = await rotateKeyIn(context.tx, context.account, key_id, body, context.actor)
  await mailOperatorKey(context, created)
  return created
}

export const rotateOwnKey: PortalHandler<'rotateOwnKey'> = async (context, { params: { key_id }, body }) => {
  const { db, account, actor } = context
  const created = await commit(db, account, actor.actor, (tx) => rotateKeyIn(tx, account, key_id, body, actor))
  await mailNewKey(context, created)
  return created
}

/** Replaces a key of any account; undefined if there is no such key. */
export async function rotateAnyKey(
  db: Database,
  key_id: string,
  rotation: Rotation,
  actor = commandLine,
): Promise<IssuedKey | undefined> {
  const account = await findKeyAccount(db, key_id)
  if (account === undefined) return undefined
  return commit(db, account, actor.actor, (tx) => rotateKeyIn(tx, account, key_id, rotation, actor))
}

const overlap = { usual: day, longest: 30 * day }

/** A new key with the terms of the old one, which works until the chosen time. */
async function rotateKeyIn(
  tx: Transaction,
  account: AccountId,
  key_id: string,
  { old_until, expires_at }: Rotation,
  actor: Actor,
): Promise<IssuedKey> {
  const old = (await listKeyRows(tx.sql, account)).find((each) => each.key_id === key_id)
  if (!old) throw new Refusal('key_not_found')
  const now = systemTime()
  if (old.revoked_at || (old.expires_at && old.expires_at.getTime() <= now)) throw new Refusal('key_not_active')
  const until = old_until === undefined ? now + overlap.usual : Date.parse(old_until)
  if (until > now + overlap.longest) throw invalid([{ pointer: '/old_until', detail: 'must be within 30 days' }])
  const maxDays = await findMaxKeyDays(tx.sql, account)
  const terms = {
    name: old.name ?? undefined,
    scopes: old.scopes,
    networks: old.networks ?? undefined,
    expires_at: expires_at === undefined ? nextExpiry(old, now, maxDays) : futureTime('/expires_at', expires_at),
    replaces: key_id,
  }
  const created = await insertNewKey(tx, account, terms, actor)
  await limitKey(tx, account, key_id, new Date(Math.max(until, now)))
  const details = { name: old.name, new_key_id: created.key_id, old_until: new Date(until).toISOString() }
  await recordAudit(tx.sql, account, actor, { kind: 'key', action: 'key_rotated', subject: key_id, details })
  return created
}

/** As long as the old key was to work, within the rule of the account. */
function nextExpiry({ created_at, expires_at }: KeyRow, now: number, maxDays: number | undefined): Date | undefined {
  const longest = maxDays === undefined ? Number.POSITIVE_INFINITY : maxDays * day
  const lifetime = expires_at ? expires_at.getTime() - created_at.getTime() : Number.POSITIVE_INFINITY
  const shorter = Math.min(lifetime, longest)
  return Number.isFinite(shorter) ? new Date(now + shorter) : undefined
}
