import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../src/database/database.js'
import { recordPurchaseOrder, renderPurchaseOrder } from '../src/domain/purchase-orders/purchase-order.js'
import { createRandom } from '../src/sandbox/random.js'
import type { DataAccount } from './dataset.js'
import type { Runner } from './measure.js'
import type { HttpRequest, Query } from './queries.js'
import { tenLineOrder, uniqueMarker } from './sample-orders.js'
import { drawQueries, type Workload } from './workloads.js'

/** A server whose responses differ from what is stored is not measured. */

/** The response to a read, from the database. */
export type StoredResponses = (query: Query) => Promise<unknown>

/** Throws at the first response that is wrong; returns how many were compared. */
export async function verifyReads(
  runner: Runner,
  stored: StoredResponses,
  workloads: Workload[],
  accounts: DataAccount[],
): Promise<number> {
  let count = 0
  for (const query of readsOf(workloads, accounts)) if (await compare(runner, query, await stored(query))) count += 1
  return count
}

/** Some of each kind, from every workload; of long lists fewer. */
function readsOf(workloads: Workload[], accounts: DataAccount[]): Query[] {
  return workloads
    .filter(({ isConditional }) => !isConditional)
    .flatMap((workload) => {
      const most = workload.name.startsWith('list of 100') ? 8 : 24
      const queries = Math.min(workload.queries, most)
      return workload.caches.flatMap((cache) => drawQueries({ ...workload, queries }, accounts, cache))
    })
    .filter(({ of }) => of !== 'create order' && of !== 'update order')
}

/** Reads each response once, however many are compared with it. */
export function storedResponses(db: Database): StoredResponses {
  const responses = new Map<string, Promise<unknown>>()
  return (query) => {
    const name = JSON.stringify({ ...query, account: query.account.slug })
    const response = responses.get(name) ?? storedResponse(db, query)
    responses.set(name, response)
    return response
  }
}

async function storedResponse(db: Database, query: Query): Promise<unknown> {
  const bodies = await storedBodies(db, query.account.slug, query)
  const parsed = bodies.map(({ body }) => JSON.parse(body) as unknown)
  return query.of === 'shipments' ? parsed : parsed[0]
}

async function storedBodies(db: Database, slug: string, query: Query): Promise<{ body: string }[]> {
  switch (query.of) {
    case 'shipment':
      return db<{ body: string }[]>`
        select body from shipments join accounts using (account_id)
        where slug = ${slug} and svc_shipment_id = ${query.id}`
    case 'shipments':
      return db<{ body: string }[]>`
        select body from shipments join accounts using (account_id) where slug = ${slug}
        order by newest_first, svc_shipment_id offset ${query.skip} limit ${query.take}`
    case 'order':
      return db<{ body: string }[]>`
        select body from purchase_orders join accounts using (account_id)
        where slug = ${slug} and reference = ${query.reference}`
    default:
      throw new Error(`the response to ${query.of} is not stored`)
  }
}

/** Creates and updates orders, and reads each back; and creates one twice with the same idempotency key. */
export async function verifyWrites(runner: Runner, accounts: DataAccount[]): Promise<number> {
  const random = createRandom('orders to verify')
  let count = 0
  for (const account of accounts.slice(-6)) {
    const number = String(Date.now()).slice(-uniqueMarker.length).padStart(uniqueMarker.length, '0')
    for (const idempotencyKey of [undefined, `verify-${number}`]) {
      const reference = `VERIFY-${number}${idempotencyKey ? '-KEY' : ''}`
      const order = tenLineOrder(reference, 'Supplier 1', random)
      const create: Query = { of: 'create order', account, order, idempotencyKey }
      if (!(await compare(runner, create, { reference }))) continue
      if (idempotencyKey) await compare(runner, create, { reference })
      const read: Query = { of: 'order', account, reference }
      await compare(runner, read, asJson(renderPurchaseOrder(recordPurchaseOrder(order), [])))

      const product_lines = order.product_lines.slice(0, 9).toReversed()
      const changed = { ...order, supplier_id: 'Supplier 2', product_lines }
      const update = { reference, supplier_id: changed.supplier_id, product_lines }
      await compare(runner, { of: 'update order', account, order: update }, { reference })
      await compare(runner, read, asJson(renderPurchaseOrder(recordPurchaseOrder(changed), [])))
      count += 4
    }
  }
  return count
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** False where the server does not support the query. */
async function compare({ server, running }: Runner, query: Query, expected: unknown): Promise<boolean> {
  const request = server.request(query)
  if (!request) return false
  const { status, text } = await send(running.url, request)
  const label = `${request.method} ${request.path} of ${query.account.slug}`
  if (status < 200 || status > 299) throw new Error(`${label} returned ${status}: ${text.slice(0, 300)}`)
  const body: unknown = JSON.parse(text)
  if (!isDeepStrictEqual(body, expected)) throw new Error(`${label}: ${difference(body, expected)}`)
  return true
}

async function send(url: string, { method, path, headers, body }: HttpRequest) {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  return { status: response.status, text: await response.text() }
}

/** The first place where they differ. */
function difference(body: unknown, expected: unknown, pointer = ''): string {
  if (isObject(body) && isObject(expected)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(body)])) {
      if (!isDeepStrictEqual(body[name], expected[name]))
        return difference(body[name], expected[name], `${pointer}/${name}`)
    }
  }
  const short = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200)
  return `${pointer || '/'} is ${short(body)}, expected ${short(expected)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
