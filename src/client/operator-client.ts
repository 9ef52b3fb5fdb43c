import type {
  OperatorBody,
  OperatorOperationName,
  OperatorOperations,
  OperatorParams,
  OperatorQuery,
  OperatorResponse,
} from '../contract/operator/operations.js'
import { addressOf, type Call, type ClientOptions, callsTo, type Given } from './client.js'
import { operatorFileRoutes, operatorRoutes } from './operator-routes.js'

/** A typed client of the operator interface: all operations with JSON requests and responses. */

type JsonName = {
  [Name in OperatorOperationName]: OperatorOperations[Name] extends { accepts: string } | { returns: string }
    ? never
    : Name
}[OperatorOperationName]

type FileName = {
  [Name in OperatorOperationName]: OperatorOperations[Name] extends { returns: 'file' } ? Name : never
}[OperatorOperationName]

export type OperatorClient = {
  [Name in JsonName]: Call<
    Given<'params', OperatorParams<Name>> & Given<'body', OperatorBody<Name>> & { query?: OperatorQuery<Name> },
    OperatorResponse<Name>
  >
}

export function createOperatorClient(options: ClientOptions): OperatorClient {
  return callsTo(options, operatorRoutes) as OperatorClient
}

/** The URL of a file. */
export function operatorAddress<Name extends FileName>(name: Name, params: OperatorParams<Name>): string {
  return addressOf('', operatorFileRoutes[name].path, params)
}
