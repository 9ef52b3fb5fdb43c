import type { AnswerOf, BodyOf, OperationName, ParamsOf, QueryOf } from '../contract/operations.js'
import type { Problem } from '../contract/problem.js'
import { publicRoutes, type Route } from './routes.js'

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
  /** In how many seconds to try again, if that was told. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: Problem, retryAfter?: number) {
    super(`${status} ${problem.code}: ${problem.detail}`)
    this.name = 'WaybillError'
    this.status = status
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** The body of an answer, or what was refused. */
export async function answerOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json()
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  throw new WaybillError(response.status, (await response.json()) as Problem, retryAfter)
}

export function createClient(options: ClientOptions): Client {
  const callTo = (route: Route) => async (input?: AnyInput) => answerOf(await sendTo(options, route, input))
  const calls = Object.entries(publicRoutes).map(([name, route]) => [name, callTo(route)])
  return Object.fromEntries(calls) as Client
}

/** One request and its answer as it came. */
export async function send<Name extends OperationName>(
  options: ClientOptions,
  name: Name,
  input?: ClientInput<Name>,
): Promise<Response> {
  return sendTo(options, publicRoutes[name], input)
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
  { method, path }: Route,
  input?: AnyInput,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (input?.body !== undefined) headers.set('content-type', 'application/json')
  if (input?.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey)
  if (input?.ifNoneMatch !== undefined) headers.set('if-none-match', input.ifNoneMatch)
  return fetch(addressOf(baseUrl, path, input?.params, input?.query), {
    method,
    headers,
    ...(input?.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(input?.signal && { signal: input.signal }),
  })
}

export function addressOf(
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
