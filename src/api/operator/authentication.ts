import type { IncomingMessage } from 'node:http'
import { mayDo, type OperatorOperation, rights } from '../../contract/operator/operation.js'
import { Refusal } from '../../contract/refusals.js'
import type { Database } from '../../database/database.js'
import { findOperatorByKey, type OperatorPrincipal } from '../../store/operators.js'
import { keyIn, unknownKey } from '../authentication/authentication.js'

/** Authenticates an operator by `Authorization: Bearer wb_op_...`. Customers' keys are refused. */
export async function authenticateOperator(db: Database, { headers }: IncomingMessage): Promise<OperatorPrincipal> {
  if (headers.authorization === undefined) throw new Refusal('missing_key')
  const operator = await findOperatorByKey(db, keyIn('operator', headers.authorization))
  if (!operator) throw new Refusal('invalid_key', unknownKey)
  return operator
}

export function refuseWithoutRight({ role }: OperatorPrincipal, { right }: OperatorOperation): void {
  if (mayDo(role, right)) return
  throw new Refusal(
    'insufficient_role',
    `The role \`${role}\` may not do this; these may: ${rights[right].join(', ')}.`,
  )
}
