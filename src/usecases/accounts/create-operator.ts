import { randomBytes } from 'node:crypto'
import type { OperatorRole } from '../../contract/operator/accounts.js'
import type { Database } from '../../database/database.js'
import { formatApiKey } from '../../domain/accounts/api-key.js'
import { createOperator } from '../../store/operators.js'

/** Creates an operator of the forwarder, with a key that can be shown only now. */
export async function createOperatorWithKey(
  db: Database,
  given: { name: string; role: OperatorRole; expires_at?: Date | undefined },
): Promise<{ operator_id: string; key: string }> {
  const operator_id = `op_${randomBytes(8).toString('hex')}`
  const key = formatApiKey('operator', randomBytes(24))
  await createOperator(db, { operator_id, key, ...given })
  return { operator_id, key }
}
