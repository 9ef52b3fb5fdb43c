import type { OperatorHandler } from '../operator-context.js'

export const getOperator: OperatorHandler<'getOperator'> = async ({
  operator: { operator_id, name, role, expires_at },
}) => ({ operator_id, name, role, ...(expires_at && { expires_at: expires_at.toISOString() }) })
