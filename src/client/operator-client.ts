import type { OperatorOperation } from '../contract/operator/operation.js'
import {
  type OperatorBody,
  type OperatorOperationName,
  type OperatorOperations,
  type OperatorParams,
  type OperatorQuery,
  type OperatorResponse,
  operatorOperations,
} from '../contract/operator/operations.js'
import { type Call, type ClientOptions, callsTo, type Given } from './client.js'

/** A typed client of the operator interface: all operations with JSON requests and responses. */

type JsonName = {
  [Name in OperatorOperationName]: OperatorOperations[Name] extends { accepts: string } | { returns: string }
    ? never
    : Name
}[OperatorOperationName]

export type OperatorClient = {
  [Name in JsonName]: Call<
    Given<'params', OperatorParams<Name>> & Given<'body', OperatorBody<Name>> & { query?: OperatorQuery<Name> },
    OperatorResponse<Name>
  >
}

export function createOperatorClient(options: ClientOptions): OperatorClient {
  const routes = Object.entries<OperatorOperation>(operatorOperations).filter(
    ([, { accepts, returns }]) => accepts === undefined && returns === undefined,
  )
  return callsTo(options, Object.fromEntries(routes)) as OperatorClient
}
