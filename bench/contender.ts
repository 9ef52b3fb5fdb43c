import type { PurchaseOrderCreate, PurchaseOrderUpdate } from '../src/contract/purchase-order.js'

/** What a client wants of a contender, in the terms of our interface. */
export type Wish =
  | { of: 'shipment'; account: BenchAccount; id: string }
  | { of: 'shipments'; account: BenchAccount; skip: number; take: number }
  | { of: 'orders'; account: BenchAccount }
  | { of: 'order'; account: BenchAccount; reference: string }
  | { of: 'create order'; account: BenchAccount; order: PurchaseOrderCreate }
  | { of: 'update order'; account: BenchAccount; order: PurchaseOrderUpdate }

/** `key` opens the account at every contender that asks for one. */
export type BenchAccount = { slug: string; key: string }

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Where the PostgreSQL of the run is, and which of its databases is the contender's. */
export type DatabasePlace = { socketFolder: string; port: number; user: string; database: string }

export type Running = { url: string; pids: number[]; stop(): Promise<void> }

/** A server that answers the same questions from the same rows. */
export type Contender = {
  name: string
  /** Brings its database, a copy that has the data, to what it needs; once for a run. */
  prepare(place: DatabasePlace, accounts: BenchAccount[]): Promise<void>
  /** Starts it in a process of its own. */
  start(place: DatabasePlace): Promise<Running>
  /** How the wish is put to it; undefined when it cannot fulfil it. */
  request(wish: Wish): HttpRequest | undefined
  /** What it answered, as Waybill would have answered it: parsed JSON, to be compared by value. */
  answerOf(wish: Wish, body: unknown): unknown
}
