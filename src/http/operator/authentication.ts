import type { IncomingMessage } from 'node:http'
import { mayDo, type OperatorOperation, rights } from '../../contract/ops/operation.js'
import { Refusal } from '../../contract/refusals.js'
import { isApiKey } from '../../domain/api-key.js'
import type { Database } from '../../storage/database.js'
import { findOperatorByKey, type OperatorHolder } from '../../storage/operators.js'
import { bearerOf } from '../authentication.js'

/** Which operator is calling: `Authorization: Bearer wb_op_...`. A customer's key is no key here. */
export async function authenticateOperator(db: Database, { headers }: IncomingMessage): Promise<OperatorHolder> {
  if (headers.authorization === undefined) throw new Refusal('missing_key')
  const key = bearerOf(headers.authorization)
  const operator = key !== undefined && isApiKey('operator', key) && (await findOperatorByKey(db, key))
  if (!operator) throw new Refusal('invalid_key')
  return operator
}

export function refuseWithoutRight({ role }: OperatorHolder, { right }: OperatorOperation): void {
  if (mayDo(role, right)) return
  throw new Refusal(
    'insufficient_role',
    `The role \`${role}\` may not do this; these may: ${rights[right].join(', ')}.`,
  )
}
