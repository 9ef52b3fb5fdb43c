import { commit } from '../../ledger/commit.js'
import { findMaxKeyDays } from '../../store/keys.js'
import type { PortalHandler } from '../portal-context.js'
import { changeAccount } from './update-account.js'

/** The rules for new keys of an account. */

export const getKeyPolicy: PortalHandler<'getKeyPolicy'> = async ({ db, account }) => {
  const max_days = await findMaxKeyDays(db, account)
  return max_days === undefined ? {} : { max_days }
}

export const updateKeyPolicy: PortalHandler<'updateKeyPolicy'> = async ({ db, account, actor }, { body }) => {
  const max_key_days = body.max_days ?? null
  await commit(db, account, actor.actor, (tx) => changeAccount(tx, account, { max_key_days }, actor))
  return body
}
