import { Type } from 'typebox'
import { closed } from '../schema.js'
import { Delay, DelayQuery, InboundLine, InboundQuery, OrderArrivals } from './inbound.js'
import { asOf, OrderNumber, ShipmentId } from './shared-types.js'

/** What arrives when: an extension of the interface. */
export const inboundOperations = {
  getOrderArrivals: {
    method: 'GET',
    path: '/v1/purchaseOrders/{reference}/arrivals',
    kind: 'purchase_order',
    renderedFrom: ['purchase_order', 'shipment'],
    summary: 'Get when an order and each of its lines arrive, by shipment: an extension of the interface',
    params: closed({ reference: OrderNumber }),
    query: closed({}, asOf),
    success: { status: 200, body: OrderArrivals },
    refusals: ['purchase_order_not_found'],
  },
  listInbound: {
    method: 'GET',
    path: '/v1/inbound',
    kind: 'purchase_order',
    list: true,
    renderedFrom: ['purchase_order', 'shipment'],
    summary: 'List what arrives when, by order line and shipment, soonest first: an extension of the interface',
    query: InboundQuery,
    success: { status: 200, body: Type.Array(InboundLine) },
    refusals: [],
  },
  simulateDelay: {
    method: 'GET',
    path: '/v1/shipments/{svc_shipment_id}/delay',
    kind: 'purchase_order',
    renderedFrom: ['purchase_order', 'shipment'],
    summary: 'Get which order lines would be late if a shipment was; stores nothing: an extension of the interface',
    params: closed({ svc_shipment_id: ShipmentId }),
    query: DelayQuery,
    success: { status: 200, body: Delay },
    refusals: ['shipment_not_found'],
  },
} as const
