import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Random } from '../src/sandbox/random.js'
import type { FaultTime } from './faults/random-kill.js'

/** A receiver of webhooks, which keeps a ledger of what every endpoint received. */

export type Receipt = { id: string; at: number; clock: number; isAccepted: boolean }

export type LedgerEndpoint = {
  account: string
  webhook_id: string
  ordered: boolean
  /** Empty: all. */
  types: string[]
  secret: string
  receipts: Receipt[]
}

export class WebhookLedger {
  readonly endpoints = new Map<string, LedgerEndpoint>()
  readonly violations: string[] = []
  readonly #random: Random
  readonly #server: Server
  readonly #refused = new Set<string>()

  constructor(random: Random) {
    this.#random = random
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      // A request that a killed process did not finish is not a receipt.
      request.on('error', () => {})
      request.on('end', () => {
        const path = (request.url ?? '').slice(1)
        const isAccepted = this.#receive(path, Buffer.concat(chunks).toString(), request.headers)
        const delay = this.#random.integer(0, 20)
        setTimeout(() => response.writeHead(isAccepted ? 204 : 500).end(), delay)
      })
    })
    // Longer than any pause of a sender.
    this.#server.keepAliveTimeout = 120_000
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get receipts(): number {
    return [...this.endpoints.values()].reduce((sum, { receipts }) => sum + receipts.length, 0)
  }

  // One of 200 events is refused at its first attempt.
  #receive(path: string, body: string, headers: IncomingHttpHeaders): boolean {
    const endpoint = this.endpoints.get(path)
    if (!endpoint) return false
    const id = String(headers['webhook-id'])
    try {
      new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)
    } catch {
      this.violations.push(`${path}: ${id} has a wrong signature`)
    }
    const isRefused = !this.#refused.has(`${path} ${id}`) && this.#random.chance(0.005)
    if (isRefused) this.#refused.add(`${path} ${id}`)
    endpoint.receipts.push({ id, at: performance.now(), clock: Date.now(), isAccepted: !isRefused })
    return !isRefused
  }
}

/** What the service has stored about the last attempt of a delivery: when its response had come (ms since 1970). */
export type StoredDelivery = { event_id: string; state: string; answeredAt: number }

export type LedgerDifference = { lost: number; repeated: number; doubled: number; violations: string[] }

// The clocks of attempts are rounded to milliseconds.
const slack = 50

/**
 * Compares what an endpoint received with its events, in their order. A delivery may be repeated only if its response was not stored:
 * then a fault lies between the two, and nothing was received after the attempt that is stored.
 */
export function compareReceipts(
  { webhook_id, ordered, receipts }: LedgerEndpoint,
  events: string[],
  stored: StoredDelivery[],
  faults: FaultTime[],
): LedgerDifference {
  const violations: string[] = []
  const accepted = new Map<string, Receipt[]>()
  for (const receipt of receipts) {
    if (receipt.isAccepted) accepted.set(receipt.id, [...(accepted.get(receipt.id) ?? []), receipt])
  }
  const known = new Map(events.map((id, place) => [id, place]))
  const missing = events.filter((id) => !accepted.has(id))
  if (missing.length > 0) violations.push(`${webhook_id}: ${missing.length} events are lost, first ${missing[0]}`)
  for (const id of accepted.keys())
    if (!known.has(id)) violations.push(`${webhook_id}: ${id} is not an event of the feed`)

  let [repeated, doubled] = [0, 0]
  for (const [id, [first, ...others]] of accepted) {
    let before = first as Receipt
    for (const receipt of others) {
      repeated += 1
      const { at } = before
      if (!faults.some(({ from, to }) => from <= receipt.at && to >= at)) {
        doubled += 1
        violations.push(`${webhook_id}: ${id} was sent twice although nothing was killed in between`)
      }
      before = receipt
    }
  }
  const answers = new Map<string, number>()
  for (const { event_id, state, answeredAt } of stored) {
    if (answers.has(event_id) || state !== 'delivered')
      violations.push(`${webhook_id}: ${event_id} is stored ${answers.has(event_id) ? 'twice' : `as ${state}`}`)
    answers.set(event_id, answeredAt)
  }
  for (const { id, clock } of receipts) {
    if (clock <= (answers.get(id) ?? 0) + slack) continue
    doubled += 1
    violations.push(`${webhook_id}: ${id} was sent again although its response was stored`)
  }

  if (ordered) {
    let before = -1
    for (const { id } of receipts) {
      const place = known.get(id) ?? -1
      if (place > before + 1) violations.push(`${webhook_id}: ${id} came before its predecessors`)
      before = place
    }
  }
  return { lost: missing.length, repeated, doubled, violations }
}
