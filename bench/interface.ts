import type { HttpRequest, Wish } from './contender.js'

/** How a wish is put to a server that speaks our interface. */
export function interfaceRequest(wish: Wish): HttpRequest {
  const headers = { Authorization: `Bearer ${wish.account.key}` }
  const withBody = { ...headers, 'Content-Type': 'application/json' }
  switch (wish.of) {
    case 'shipment':
      return { method: 'GET', path: `/v1/shipments/${encodeURIComponent(wish.id)}`, headers }
    case 'shipments':
      return { method: 'GET', path: `/v1/shipments?skip=${wish.skip}&take=${wish.take}`, headers }
    case 'orders':
      return { method: 'GET', path: '/v1/purchaseOrders', headers }
    case 'order':
      return { method: 'GET', path: `/v1/purchaseOrders/${encodeURIComponent(wish.reference)}`, headers }
    case 'create order':
      return { method: 'POST', path: '/v1/purchaseOrders', headers: withBody, body: JSON.stringify(wish.order) }
    case 'update order':
      return { method: 'PATCH', path: '/v1/purchaseOrders', headers: withBody, body: JSON.stringify(wish.order) }
  }
}
