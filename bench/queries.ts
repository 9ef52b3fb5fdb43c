import type { PurchaseOrderCreate, PurchaseOrderUpdate } from '../src/contract/public/purchase-order.js'

/** Requests of a client, in the terms of the public interface. */
export type Query =
  | { of: 'shipment'; account: BenchAccount; id: string }
  | { of: 'shipments'; account: BenchAccount; skip: number; take: number }
  | { of: 'order'; account: BenchAccount; reference: string }
  | { of: 'create order'; account: BenchAccount; order: PurchaseOrderCreate; idempotencyKey?: string | undefined }
  | { of: 'update order'; account: BenchAccount; order: PurchaseOrderUpdate }

/** `key` is valid on every server that requires one. */
export type BenchAccount = { slug: string; key: string }

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** The request of a query: the same for every server that implements the public interface. */
export function requestOf(query: Query): HttpRequest {
  const headers = { Authorization: `Bearer ${query.account.key}` }
  switch (query.of) {
    case 'shipment':
      return { method: 'GET', path: `/v1/shipments/${encodeURIComponent(query.id)}`, headers }
    case 'shipments':
      return { method: 'GET', path: `/v1/shipments?skip=${query.skip}&take=${query.take}`, headers }
    case 'order':
      return { method: 'GET', path: `/v1/purchaseOrders/${encodeURIComponent(query.reference)}`, headers }
    case 'create order': {
      const { order, idempotencyKey: key } = query
      return write('POST', { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) }, order)
    }
    case 'update order':
      return write('PATCH', headers, query.order)
  }
}

function write(method: 'POST' | 'PATCH', headers: Record<string, string>, order: object): HttpRequest {
  return {
    method,
    path: '/v1/purchaseOrders',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  }
}
