import { listUsedKeys } from '../../store/keys.js'
import type { OperatorHandler } from '../operator-context.js'
import type { PortalHandler } from '../portal-context.js'
import { usedKeyOf } from './key-record.js'

/** With the time of their last use. */
export const listKeys: OperatorHandler<'listKeys'> = async ({ db, account }) =>
  (await listUsedKeys(db, account)).map(usedKeyOf)

/** Those of the person's own account. */
export const listOwnKeys: PortalHandler<'listOwnKeys'> = async ({ db, account }) =>
  (await listUsedKeys(db, account)).map(usedKeyOf)
