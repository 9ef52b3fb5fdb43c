import { listKeyRows, listUsedKeys } from '../../store/keys.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { keyOf, usedKeyOf } from './key-record.js'

export const listKeys: OperatorHandler<'listKeys'> = async ({ db, account }) =>
  (await listKeyRows(db, account)).map(keyOf)

/** The keys of the person's own account, with the time of their last use. */
export const listOwnKeys: PortalHandler<'listOwnKeys'> = async ({ db, account }) =>
  (await listUsedKeys(db, account)).map(usedKeyOf)
