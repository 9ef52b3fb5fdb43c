import { commit } from '../../ledger/commit.js'
import { recordAudit } from '../../store/audit.js'
import { findMaxKeyDays, setMaxKeyDays } from '../../store/keys.js'
import type { PortalHandler } from '../portal-context.js'

/** The rules for new keys of an account. */

export const getKeyPolicy: PortalHandler<'getKeyPolicy'> = async ({ db, account }) => {
  const max_days = await findMaxKeyDays(db, account)
  return max_days === undefined ? {} : { max_days }
}

export const updateKeyPolicy: PortalHandler<'updateKeyPolicy'> = async ({ db, account, actor }, { body }) => {
  await commit(db, account, actor.actor, async (tx) => {
    await setMaxKeyDays(tx, account, body.max_days)
    const details = { name: 'key_policy', max_days: body.max_days ?? null }
    await recordAudit(tx.sql, account, actor, { kind: 'setting', action: 'setting_changed', details })
  })
  return body
}
