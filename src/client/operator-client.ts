import type { OperatorOperation } from '../contract/ops/operation.js'
import {
  type OperatorAnswer,
  type OperatorBody,
  type OperatorOperationName,
  type OperatorOperations,
  type OperatorParams,
  type OperatorQuery,
  operatorOperationNames,
  operatorOperations,
} from '../contract/ops/operations.js'
import { answerOf, type ClientOptions, sendTo } from './client.js'

/** A typed client of the operator interface, made from its operations table: all of it that is JSON both ways. */

type JsonName = {
  [Name in OperatorOperationName]: OperatorOperations[Name] extends { accepts: string } | { answers: string }
    ? never
    : Name
}[OperatorOperationName]

type Given<Name extends string, Value> = [Value] extends [undefined] ? object : { [Key in Name]: Value }

export type OperatorClientInput<Name extends JsonName> = Given<'params', OperatorParams<Name>> &
  Given<'body', OperatorBody<Name>> & {
    query?: OperatorQuery<Name>
    /** Makes a retry of a write safe. */
    idempotencyKey?: string
    signal?: AbortSignal
  }

type Optionally<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input]

export type OperatorClient = {
  [Name in JsonName]: (...input: Optionally<OperatorClientInput<Name>>) => Promise<OperatorAnswer<Name>>
}

export function createOperatorClient(options: ClientOptions): OperatorClient {
  const call = async (operation: OperatorOperation, input: object | undefined) =>
    answerOf(await sendTo(options, operation, input))
  const names = operatorOperationNames.filter((name) => {
    const operation: OperatorOperation = operatorOperations[name]
    return operation.accepts === undefined && operation.answers === undefined
  })
  return Object.fromEntries(
    names.map((name) => [name, (input?: object) => call(operatorOperations[name], input)]),
  ) as OperatorClient
}
