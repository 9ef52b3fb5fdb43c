import { operations } from '../../src/contract/public/operations.js'
import { type Actor, readOnce, write } from '../actor.js'
import { jsonOf } from '../exchange.js'
import { type Line, type Order, orderDifference, type Shown, shipmentDifference } from '../expected.js'

/** Actions of customers: orders, and reads of everything. */

export async function createOrder(actor: Actor): Promise<void> {
  const { state, own, ledger, random } = actor
  const token = ledger.nextToken(state.slug)
  const order: Order = {
    reference: `${state.slug}~o${token.split('~')[1]}`,
    token,
    lines: drawLines(actor),
    isSure: false,
  }
  state.orders.set(order.reference, order)
  const response = await write(actor, {
    operation: operations.createPurchaseOrder,
    json: { reference: order.reference, ...bodyOf(token, order.lines) },
    token,
    isTokenWritten: true,
    isSafe: random.chance(0.5),
  })
  if (!response) return
  order.isSure = true
  own.orders.push(order)
}

export async function updateOrder(actor: Actor): Promise<void> {
  const { state, ledger, random } = actor
  const order = pickUnassigned(actor)
  if (!order) return createOrder(actor)
  const token = ledger.nextToken(state.slug)
  const lines = drawLines(actor)
  order.maybe = { token, lines }
  const response = await write(actor, {
    operation: operations.updatePurchaseOrder,
    json: { reference: order.reference, ...bodyOf(token, lines) },
    token,
    isTokenWritten: true,
    isSafe: random.chance(0.5),
  })
  if (response) {
    Object.assign(order, { token, lines })
    delete order.maybe
  } else forget(actor, order)
}

/** Reads its own write, which must be visible at once. */
export async function readOwnOrder(actor: Actor): Promise<void> {
  const { own, random, state, traffic } = actor
  if (own.orders.length === 0) return createOrder(actor)
  const order = random.pick(own.orders)
  const path = `/v1/purchaseOrders/${encodeURIComponent(order.reference)}`
  const response = await readOnce(actor, path)
  if (!response) return
  if (response.status !== 200) return traffic.violate(`${path}: ${response.status}, though it was acknowledged`)
  const fault = orderDifference(state, order, jsonOf(response) as Shown)
  if (fault) traffic.violate(`read after the write: ${fault}`)
}

export async function readOwnShipment(actor: Actor): Promise<void> {
  const { own, random, traffic } = actor
  if (own.shipments.length === 0) return readLists(actor)
  const shipment = random.pick(own.shipments)
  const path = `/v1/shipments/${encodeURIComponent(shipment.id)}`
  const response = await readOnce(actor, path)
  if (!response) return
  if (response.status !== 200) return traffic.violate(`${path}: ${response.status}, though it was acknowledged`)
  const fault = shipmentDifference(shipment, jsonOf(response) as Shown)
  if (fault) traffic.violate(`read after the write: ${fault}`)
}

/** Polls a list, with the ETag of the previous response. */
export async function readLists(actor: Actor): Promise<void> {
  const path = actor.random.pick([
    '/v1/shipments?take=20',
    '/v1/purchaseOrders?take=20',
    '/v1/invoices?take=20',
    '/v1/documents?take=20',
    '/v1/locations?take=20',
  ])
  const response = await readOnce(actor, path)
  const etag = response?.headers.etag
  if (etag !== undefined) await readOnce(actor, path, etag)
}

/** A resource of another account must not be found. */
export async function readForeignOrder(actor: Actor): Promise<void> {
  const { random, others, traffic, state } = actor
  const order = [...random.pick(others).orders.values()].at(-1)
  if (!order) return readLists(actor)
  const response = await readOnce(actor, `/v1/purchaseOrders/${encodeURIComponent(order.reference)}`)
  if (!response || response.status === 404) return
  traffic.tally.leaks += 1
  traffic.violate(`${state.slug} got ${response.status} for ${order.reference}`)
}

/** An order with an unknown state is not changed again. */
export function forget({ own }: Actor, order: Order): void {
  own.orders.splice(own.orders.indexOf(order), 1)
}

function pickUnassigned({ own, random }: Actor): Order | undefined {
  const candidates = own.orders.slice(-40).filter(({ lines }) => lines.every(({ assigned }) => assigned.size === 0))
  return candidates.length === 0 ? undefined : random.pick(candidates)
}

function drawLines({ random }: Actor): Line[] {
  return Array.from({ length: random.integer(1, 3) }, (_, index) => ({
    reference: String(index + 1),
    quantity: random.integer(10, 100),
    assigned: new Map<string, number>(),
  }))
}

function bodyOf(token: string, lines: Line[]) {
  return {
    product_lines: lines.map(({ reference, quantity }) => ({
      reference,
      ordered_quantity: quantity,
      product: { sku: `SKU-${reference}` },
    })),
    custom_parameters: [{ name: 'token', value: token }],
  }
}
