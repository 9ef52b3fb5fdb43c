import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from '../src/client/client.js'
import type { Operation } from '../src/contract/operation.js'
import type { Random } from '../src/sandbox/random.js'
import {
  type Answer,
  type Connections,
  type FormFile,
  isAnswer,
  isDeclaredUnavailable,
  jsonOf,
  textOf,
} from './exchange.js'
import type { AccountState, Invoice, Order, OwnKey, Shipment } from './expected.js'
import type { Ledger } from './ledger.js'
import type { Traffic } from './traffic.js'

/**
 * Somebody who works on an account, one thing after another, on resources that are theirs alone: so it is known at any
 * time what these must look like, while others write to the same account.
 */
export type Actor = {
  random: Random
  state: AccountState
  /** Of other customers. */
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
  json?: object
  form?: FormFile
  token: string
  /** Whether the token is part of what is stored. */
  isTokenWritten: boolean
  /** With an idempotency key: what was not answered is sent again until it is. */
  isSafe: boolean
}

// A service that is away for longer than this has not come back by itself.
const longestAbsence = 120_000

/** Performs a write that must succeed. Undefined when nobody knows whether it did. */
export async function write(actor: Actor, writing: Writing): Promise<Answer | undefined> {
  const { traffic, ledger, state, operatorKey } = actor
  const { operation, params, json, form, token, isTokenWritten, isSafe } = writing
  const path = addressOf('', operation.path, { account: state.slug, ...params })
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
  const begun = performance.now()
  let wasBroken = false
  for (;;) {
    const outcome = await traffic.send(wanted, actor.connections, isOperators ? undefined : state.slug)
    if (outcome.status === operation.success.status) {
      const answer = outcome
      const isReplayed = answer.headers['idempotent-replayed'] !== undefined
      if (isReplayed) traffic.tally.replayed += 1
      if (isReplayed && wasBroken) traffic.tally.brokenAndDone += 1
      ledger.acknowledge(entry, (jsonOf(answer) as { revision?: number }).revision)
      return answer
    }
    if (isAnswer(outcome) && outcome.status < 500) {
      ledger.refuse(entry, outcome.status)
      traffic.violate(`${wanted.method} ${path} was refused: ${outcome.status} ${textOf(outcome).slice(0, 300)}`)
      return undefined
    }
    if (!isSafe) {
      ledger.leaveOpen(entry)
      return undefined
    }
    wasBroken ||= !isAnswer(outcome)
    if (performance.now() - begun > longestAbsence) throw new Error(`nobody has answered ${path} for two minutes`)
    await pause(actor)
  }
}

/** Reads once; undefined when the service is away. */
export async function readOnce(actor: Actor, path: string, etag?: string): Promise<Answer | undefined> {
  const { traffic, state, connections } = actor
  const outcome = await traffic.send({ method: 'GET', path, key: state.key, etag }, connections, state.slug)
  if (isAnswer(outcome) && !isDeclaredUnavailable(outcome)) return outcome
  await pause(actor)
  return undefined
}

// Less than a client is told to wait: what it finds while the service comes up is of interest.
async function pause({ random }: Actor): Promise<void> {
  await sleep(random.integer(30, 150))
}
