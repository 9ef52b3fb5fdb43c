import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from '../src/client/client.js'
import type { Operation } from '../src/contract/operation.js'
import type { Random } from '../src/sandbox/random.js'
import {
  type Connections,
  type FormFile,
  type HttpResponse,
  isDeclaredUnavailable,
  isResponse,
  jsonOf,
  textOf,
} from './exchange.js'
import type { AccountState, Invoice, Order, OwnKey, Shipment } from './expected.js'
import type { Ledger } from './ledger.js'
import { longestHang } from './program.js'
import type { Traffic } from './traffic.js'

/**
 * A client that works on an account, one request after another, on resources that only it changes: so their expected
 * state is always known, while other clients write to the same account.
 */
export type Actor = {
  random: Random
  state: AccountState
  /** The other accounts. */
  others: AccountState[]
  operatorKey: string
  traffic: Traffic
  ledger: Ledger
  connections: Connections
  own: { orders: Order[]; shipments: Shipment[]; invoices: Invoice[]; keys: OwnKey[] }
}

export type Writing = {
  operation: Operation
  params?: Record<string, string>
  query?: Record<string, string>
  json?: object
  form?: FormFile
  token: string
  /** Whether the token is part of what is stored. */
  isTokenWritten: boolean
  /** With an idempotency key: a request without a response is retried until there is one. */
  isSafe: boolean
}

/** Performs a write that must succeed. Undefined if its outcome is unknown. */
export async function write(actor: Actor, writing: Writing): Promise<HttpResponse | undefined> {
  const { traffic, ledger, state, operatorKey } = actor
  const { operation, params, query, json, form, token, isTokenWritten, isSafe } = writing
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const path = addressOf('', operation.path, { account: state.slug, ...params }) + search
  const isOperators = operation.path.startsWith('/ops/')
  const wanted = {
    method: operation.method,
    path,
    key: isOperators ? operatorKey : state.key,
    ...(json && { json }),
    ...(form && { form }),
    ...(isSafe && { idempotencyKey: token }),
  }
  const entry = { account: state.slug, operation: `${operation.method} ${operation.path}`, token, isTokenWritten }
  const startedAt = performance.now()
  let wasBroken = false
  for (;;) {
    const outcome = await traffic.send(wanted, actor.connections, isOperators ? undefined : state.slug)
    if (outcome.status === operation.success.status) {
      const response = outcome
      const isReplayed = response.headers['idempotent-replayed'] !== undefined
      if (isReplayed) traffic.tally.replayed += 1
      if (isReplayed && wasBroken) traffic.tally.brokenAndDone += 1
      ledger.acknowledge(entry, (jsonOf(response) as { revision?: number }).revision)
      return response
    }
    if (isResponse(outcome) && outcome.status < 500) {
      ledger.refuse(entry, outcome.status)
      traffic.violate(`${wanted.method} ${path} was refused: ${outcome.status} ${textOf(outcome).slice(0, 300)}`)
      return undefined
    }
    if (!isSafe) {
      ledger.leaveOpen(entry)
      return undefined
    }
    wasBroken ||= !isResponse(outcome)
    if (performance.now() - startedAt > longestHang) throw new Error(`no response to ${path} for ten minutes`)
    await pause(actor)
  }
}

/** Reads once; undefined if the service is unavailable. */
export async function readOnce(actor: Actor, path: string, etag?: string): Promise<HttpResponse | undefined> {
  const { traffic, state, connections } = actor
  const outcome = await traffic.send({ method: 'GET', path, key: state.key, etag }, connections, state.slug)
  if (isResponse(outcome) && !isDeclaredUnavailable(outcome)) return outcome
  await pause(actor)
  return undefined
}

// Shorter than Retry-After, to send requests while the service starts.
async function pause({ random }: Actor): Promise<void> {
  await sleep(random.integer(30, 150))
}
