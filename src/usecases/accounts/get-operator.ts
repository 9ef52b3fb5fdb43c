import { listSlugs } from '../../store/accounts.js'
import type { OperatorHandler } from '../operator-context.js'

export const getOperator: OperatorHandler<'getOperator'> = async ({
  db,
  operator: { operator_id, name, role, accounts, expires_at },
}) => ({
  operator_id,
  name,
  role,
  ...(accounts !== 'all' && { accounts: await listSlugs(db, accounts) }),
  ...(expires_at && { expires_at: expires_at.toISOString() }),
})
