import type { Operation } from '../contract/operation.js'
import {
  type AnswerOf,
  type BodyOf,
  type OperationName,
  operationNames,
  operations,
  type ParamsOf,
  type QueryOf,
} from '../contract/operations.js'
import type { Problem } from '../contract/problem.js'

/** A typed client of the public interface, made from the operations table. Runs wherever there is `fetch`. */

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : { [Key in Name]: Value }
type GivenMaybe<Name extends string, Value> = { [Key in Name]?: Value }

export type ClientInput<Name extends OperationName> = Given<'params', ParamsOf<Name>> &
  GivenMaybe<'query', QueryOf<Name>> &
  Given<'body', BodyOf<Name>> & {
    /** Makes a retry of a write safe. */
    idempotencyKey?: string
    /** The `etag` of the answer that the caller has. */
    ifNoneMatch?: string
    signal?: AbortSignal
  }

type Optionally<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input]

export type ClientOptions = {
  baseUrl: string
  key?: string
  fetch?: typeof globalThis.fetch
}

export type Client = {
  [Name in OperationName]: (...input: Optionally<ClientInput<Name>>) => Promise<AnswerOf<Name>>
}

/** The service said no: `problem` says why. */
export class WaybillError extends Error {
  readonly status: number
  readonly problem: Problem

  constructor(status: number, problem: Problem) {
    super(`${status} ${problem.code}: ${problem.detail}`)
    this.name = 'WaybillError'
    this.status = status
    this.problem = problem
  }
}

export function createClient(options: ClientOptions): Client {
  const call = async (name: OperationName, input: ClientInput<OperationName> | undefined) => {
    const response = await send(options, name, input)
    if (!response.ok) throw new WaybillError(response.status, (await response.json()) as Problem)
    return response.json()
  }
  return Object.fromEntries(
    operationNames.map((name) => [name, (input?: ClientInput<OperationName>) => call(name, input)]),
  ) as Client
}

/** One request and its answer as it came. */
export async function send<Name extends OperationName>(
  options: ClientOptions,
  name: Name,
  input?: ClientInput<Name>,
): Promise<Response> {
  return sendTo(options, operations[name], input)
}

type AnyInput = {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  idempotencyKey?: string
  ifNoneMatch?: string
  signal?: AbortSignal
}

/** The same for an operation of any interface. */
export async function sendTo(
  { baseUrl, key, fetch = globalThis.fetch }: ClientOptions,
  operation: Operation,
  input?: AnyInput,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (input?.body !== undefined) headers.set('content-type', 'application/json')
  if (input?.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey)
  if (input?.ifNoneMatch !== undefined) headers.set('if-none-match', input.ifNoneMatch)
  return fetch(addressOf(baseUrl, operation.path, input?.params, input?.query), {
    method: operation.method,
    headers,
    ...(input?.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(input?.signal && { signal: input.signal }),
  })
}

function addressOf(
  baseUrl: string,
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search && `?${search}`}`
}
