import type { BodyOf, OperationName, Operations, ParamsOf, QueryOf, ResponseOf } from '../contract/public/operations.js'
import { type EventFeed, feedOf } from './event-feed.js'
import { type CallResult, type NotModified, readResponse, WaybillError } from './response.js'
import { withRetries } from './retries.js'
import { type ClientRoute, publicRoutes } from './routes.js'

export type { ChangeEvent } from '../contract/public/event.js'
export type { EventFeed } from './event-feed.js'
export { type CallResult, type NotModified, WaybillError } from './response.js'

/** A typed client of the public interface, derived from the operations table. Needs only `fetch`. */

export type Given<Name extends string, Value> = [Value] extends [undefined]
  ? { [Key in Name]?: undefined }
  : { [Key in Name]: Value }

/** Options of every call. */
export type CallOptions = {
  /** Makes a retry of a write safe. */
  idempotencyKey?: string
  /** The `etag` of an earlier result: if it is still current, `notModified` is true and there is no data. */
  ifNoneMatch?: string | undefined
  signal?: AbortSignal
}

type OptionalInput<Value> = Partial<Value> extends Value ? [input?: Value] : [input: Value]

/** One operation. Without `ifNoneMatch`, the result always has data. */
export type Call<Taken, Data> = {
  (input: Taken & CallOptions & { ifNoneMatch: string | undefined }): Promise<CallResult<Data> | NotModified>
  (...input: OptionalInput<Taken & CallOptions & { ifNoneMatch?: undefined }>): Promise<CallResult<Data>>
}

/** A form has one `file`, and fields. */
type ClientBody<Name extends OperationName> = Operations[Name] extends { accepts: 'form' } ? FormData : BodyOf<Name>

type Input<Name extends OperationName> = Given<'params', ParamsOf<Name>> & { query?: QueryOf<Name> } & Given<
    'body',
    ClientBody<Name>
  >

export type ClientInput<Name extends OperationName> = Input<Name> & CallOptions

export type ClientOptions = {
  baseUrl: string
  key?: string
  fetch?: typeof globalThis.fetch
  /**
   * How often a request is sent again that got no response, 429, 502, 503 or 504. Writes then get an idempotency key, so that
   * they take effect once. 0 unless given.
   */
  retries?: number
}

type Page = { skip?: number; take?: number }

/** A list that is returned in pages also has `each`, which requests them as they are needed. */
type Paged<Name extends OperationName> = keyof Page extends keyof NonNullable<QueryOf<Name>>
  ? ResponseOf<Name> extends (infer Item)[]
    ? { each: (input?: Omit<Input<Name>, 'body'> & { signal?: AbortSignal }) => AsyncGenerator<Item, void, undefined> }
    : unknown
  : unknown

/** The feed of changes is read by a cursor. Its `each` ends with the newest event, or with `wait` in the query waits for more. */
type Followed<Name extends OperationName> = Name extends 'listEvents'
  ? { each: (input?: { query?: QueryOf<Name>; signal?: AbortSignal }) => EventFeed }
  : unknown

export type Client = { [Name in OperationName]: Call<Input<Name>, ResponseOf<Name>> & Paged<Name> & Followed<Name> }

export function createClient(options: ClientOptions): Client {
  const calls = callsTo(options, publicRoutes) as Record<string, AnyCall>
  const client: object = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      name.startsWith('list')
        ? Object.assign(call, { each: name === 'listEvents' ? follow(call) : eachOf(call) })
        : call,
    ]),
  )
  return client as Client
}

// The largest page that every list has.
const pageSize = 100

type AnyCall = (input?: AnyInput) => Promise<CallResult<unknown>>

/** All items of a list, from `skip` on; `take` is the size of the pages. Items that move meanwhile may be missing or repeated. */
function eachOf(call: AnyCall) {
  return async function* (input: AnyInput = {}): AsyncGenerator<unknown, void, undefined> {
    const { skip: first = 0, take = pageSize } = (input.query ?? {}) as Page
    for (let skip = first; ; skip += take) {
      const items = await call({ ...input, query: { ...input.query, skip, take } }).then(
        ({ data }) => data as unknown[],
        (error: unknown) => {
          // Interface 4.1: no shipments found is a 404, unlike every other list.
          if (error instanceof WaybillError && error.code === 'no_shipments_found') return []
          throw error
        },
      )
      yield* items
      if (items.length < take) return
    }
  }
}

function follow(call: AnyCall) {
  return (input: AnyInput = {}) => feedOf((query) => call({ ...input, query }), input.query ?? {}, input.signal)
}

/** Creates a function for each operation. */
export function callsTo(options: ClientOptions, routes: Record<string, ClientRoute>): object {
  const callTo = (route: ClientRoute) => (input?: AnyInput) =>
    readResponse(sendTo(options, route, input), input?.signal)
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, callTo(route)]))
}

/** Sends one request and returns the raw response. */
export async function send<Name extends OperationName>(
  options: ClientOptions,
  name: Name,
  input?: ClientInput<Name>,
): Promise<Response> {
  return sendTo(options, publicRoutes[name], input)
}

type AnyInput = CallOptions & {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/** `send` for an operation of any interface. */
export async function sendTo(
  { baseUrl, key, fetch = globalThis.fetch, retries = 0 }: ClientOptions,
  { method, path }: ClientRoute,
  input?: AnyInput,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  const isForm = input?.body instanceof FormData
  if (input?.body !== undefined && !isForm) headers.set('content-type', 'application/json')
  const idempotencyKey = input?.idempotencyKey ?? (retries > 0 && method !== 'GET' ? newKey() : undefined)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (input?.ifNoneMatch !== undefined) headers.set('if-none-match', input.ifNoneMatch)
  const request = {
    method,
    headers,
    ...(input?.body !== undefined && { body: isForm ? (input.body as FormData) : JSON.stringify(input.body) }),
    ...(input?.signal && { signal: input.signal }),
  }
  const address = addressOf(baseUrl, path, input?.params, input?.query)
  return withRetries(() => fetch(address, request), { retries, signal: input?.signal })
}

// Not `crypto.randomUUID`, which browsers have on https and localhost only.
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(18))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
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
