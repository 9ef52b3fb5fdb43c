import type { PurchaseOrderUpdate } from '../../../src/contract/purchase-order.js'
import type { BenchAccount, HttpRequest, Wish } from '../../contender.js'
import { linesOf } from '../normalised/sent-lines.js'

/** How a wish is put to Directus by a client who knows the number of its account: each item tells it. */
export function requestOf(wish: Wish, account_id: number): HttpRequest | undefined {
  switch (wish.of) {
    case 'shipment':
      return read(wish.account, 'shipments', { ...shipments, ...only('svc_shipment_id', wish.id) })
    case 'shipments':
      return read(wish.account, 'shipments', {
        ...shipments,
        sort: '-listed_at,svc_shipment_id',
        limit: String(wish.take),
        offset: String(wish.skip),
      })
    case 'orders':
      // Of 20,000 orders with ten lines each it loses lines, as it reads these in batches; in one batch it fails.
      return undefined
    case 'order':
      return read(wish.account, 'purchase_orders', { ...orders, ...only('reference', wish.reference) })
    case 'create order': {
      const { reference } = wish.order
      return write(wish.account, 'POST', { reference, ...itemOf(wish.order) })
    }
    case 'update order': {
      // Directus looks in all accounts for what is to be changed, and refuses when it finds more than the caller's.
      const filter = { account_id: { _eq: account_id }, reference: { _eq: wish.order.reference } }
      return write(wish.account, 'PATCH', { query: { filter }, data: itemOf(wish.order) })
    }
  }
}

const shipments = { fields: '*,containers.*,loads.*' }
const orders = {
  fields: [
    '*',
    'lines.*',
    'lines.assigned.*',
    'lines.assigned.shipment_id.svc_shipment_id',
    'lines.assigned.shipment_id.status',
    'lines.assigned.shipped.*',
  ].join(','),
}

// An item has its own key in a path, which our clients do not know.
function only(column: string, value: string): Record<string, string> {
  return { [`filter[${column}][_eq]`]: value, limit: '1' }
}

function itemOf(order: PurchaseOrderUpdate): object {
  const { reference: _, product_lines, ...fields } = order
  return { ...fields, ...(product_lines && { lines: linesOf(product_lines) }) }
}

function read({ key }: BenchAccount, collection: string, query: Record<string, string>): HttpRequest {
  const headers = { Authorization: `Bearer ${key}` }
  return { method: 'GET', path: `/items/${collection}?${new URLSearchParams(query).toString()}`, headers }
}

function write({ key }: BenchAccount, method: 'POST' | 'PATCH', body: object): HttpRequest {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return { method, path: '/items/purchase_orders?fields=reference', headers, body: JSON.stringify(body) }
}
