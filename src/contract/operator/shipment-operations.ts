import { Type } from 'typebox'
import { skip, take } from '../operation.js'
import { Delay, DelayQuery, InboundLine, InboundQuery, OrderArrivals } from '../public/inbound.js'
import { OrderCancellationInput } from '../public/purchase-order.js'
import { asOf } from '../public/shared-types.js'
import { closed, Identifier, oneOf } from '../schema.js'
import type { OperatorOperation } from './operation.js'
import { ShipmentChanges, ShipmentOutcomes } from './shipment-changes.js'
import { ForwarderShipmentSearch, FoundShipments } from './shipment-search.js'
import {
  AssignmentInput,
  AssignmentVersion,
  ContainerReplacement,
  Packing,
  PurchaseOrderVersion,
  Removed,
  ShipmentCreate,
  ShipmentInput,
  ShipmentMove,
  ShipmentPatch,
  ShipmentVersion,
} from './shipments.js'
import { accountParam, inAccount, Reason } from './version.js'

const shipment = closed({ ...accountParam, svc_shipment_id: Identifier })
const container = closed({ ...accountParam, svc_shipment_id: Identifier, container_number: Identifier })
const order = closed({ ...accountParam, reference: Identifier })
const assignment = closed({ ...accountParam, reference: Identifier, line: Identifier, svc_shipment_id: Identifier })

const basedOn = {
  revision: Type.Integer({
    minimum: 0,
    description:
      'The `revision` that the change is based on: an assignment that has changed since is not changed. 0: there is none yet.',
  }),
}

const basedOnShipment = closed(
  {},
  {
    revision: Type.Integer({
      minimum: 0,
      description: 'The `revision` that the change is based on: a shipment that has changed since is not changed.',
    }),
  },
)

const page = { skip, take: take(100, { default: 20 }), ...asOf }

/** Shipments and their assignments. */
export const shipmentOperations = {
  findShipments: {
    method: 'GET',
    path: '/ops/v1/shipments',
    covers: 'own_accounts',
    tag: 'Shipments',
    right: 'read',
    summary: 'Search and filter the shipments of all accounts',
    query: ForwarderShipmentSearch,
    // It waits until the changes of the accounts are indexed.
    isFeed: true,
    success: { status: 200, body: FoundShipments },
    refusals: ['account_not_found'],
  },
  changeShipments: {
    method: 'POST',
    path: '/ops/v1/shipments/changes',
    covers: 'own_accounts',
    tag: 'Shipments',
    right: 'operate',
    summary: 'Update several shipments of any accounts, each with an outcome of its own',
    query: closed(
      {},
      { check: oneOf(['true', 'false'], { description: 'Report what would change, and change nothing.' }) },
    ),
    body: ShipmentChanges,
    recordsAudit: true,
    success: { status: 200, body: ShipmentOutcomes },
    refusals: [],
  },
  listShipments: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments',
    tag: 'Shipments',
    right: 'read',
    summary: 'List shipments, newest first',
    params: inAccount,
    query: closed({}, page),
    success: { status: 200, body: Type.Array(ShipmentVersion) },
    refusals: [],
  },
  createShipment: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/shipments',
    tag: 'Shipments',
    right: 'operate',
    summary: 'Create a shipment; without an identifier one is generated',
    params: inAccount,
    body: ShipmentCreate,
    success: { status: 201, body: ShipmentVersion, location: '/ops/v1/accounts/{account}/shipments/{id}' },
    refusals: ['shipment_exists'],
  },
  getShipment: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}',
    tag: 'Shipments',
    right: 'read',
    summary: 'Get one shipment',
    params: shipment,
    query: closed({}, asOf),
    success: { status: 200, body: ShipmentVersion },
    refusals: ['shipment_not_found', 'version_not_found'],
  },
  replaceShipment: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}',
    tag: 'Shipments',
    right: 'operate',
    summary: 'Replace a shipment; its status is kept',
    params: shipment,
    body: ShipmentInput,
    success: { status: 200, body: ShipmentVersion },
    refusals: ['shipment_not_found', 'container_packed', 'container_has_events'],
  },
  updateShipment: {
    method: 'PATCH',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}',
    tag: 'Shipments',
    right: 'operate',
    summary: 'Update some fields of a shipment (a merge patch: null removes a field)',
    params: shipment,
    query: basedOnShipment,
    body: ShipmentPatch,
    success: { status: 200, body: ShipmentVersion },
    refusals: ['shipment_not_found', 'shipment_changed', 'container_packed', 'container_has_events'],
  },
  replaceContainer: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/containers/{container_number}/replacement',
    tag: 'Shipments',
    right: 'operate',
    summary: 'Replace a container by another, whose goods, packing and past it takes over',
    params: container,
    query: basedOnShipment,
    body: ContainerReplacement,
    success: { status: 200, body: ShipmentVersion },
    refusals: ['shipment_not_found', 'shipment_changed', 'container_not_found'],
  },
  moveShipment: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/status',
    tag: 'Shipments',
    right: 'operate',
    summary: 'Change the status of a shipment, cancel it, or correct its status',
    params: shipment,
    body: ShipmentMove,
    success: { status: 200, body: ShipmentVersion },
    refusals: ['shipment_not_found', 'transition_not_allowed', 'quantity_exceeded'],
  },
  listPurchaseOrders: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/purchaseOrders',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'List purchase orders, newest first',
    params: inAccount,
    query: closed({}, page),
    success: { status: 200, body: Type.Array(PurchaseOrderVersion) },
    refusals: [],
  },
  getPurchaseOrder: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/purchaseOrders/{reference}',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'Get one purchase order',
    params: order,
    query: closed({}, asOf),
    success: { status: 200, body: PurchaseOrderVersion },
    refusals: ['purchase_order_not_found', 'version_not_found'],
  },
  cancelPurchaseOrder: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/purchaseOrders/{reference}/cancellation',
    tag: 'Purchase orders',
    right: 'operate',
    summary: 'Cancel a purchase order of which nothing is assigned to a shipment',
    params: order,
    body: OrderCancellationInput,
    success: { status: 200, body: PurchaseOrderVersion },
    refusals: ['purchase_order_not_found', 'purchase_order_assigned'],
  },
  getOrderArrivals: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/purchaseOrders/{reference}/arrivals',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'Get when an order and each of its lines arrive, by shipment',
    params: order,
    query: closed({}, asOf),
    success: { status: 200, body: OrderArrivals },
    refusals: ['purchase_order_not_found', 'version_not_found'],
  },
  listInbound: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/inbound',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'List what arrives when, by order line and shipment, soonest first',
    params: inAccount,
    query: InboundQuery,
    success: { status: 200, body: Type.Array(InboundLine) },
    refusals: [],
  },
  simulateDelay: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/delay',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'Get which order lines would be late if a shipment was; stores nothing',
    params: shipment,
    query: DelayQuery,
    success: { status: 200, body: Delay },
    refusals: ['shipment_not_found'],
  },
  assign: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/purchaseOrders/{reference}/lines/{line}/assignments/{svc_shipment_id}',
    tag: 'Purchase orders',
    right: 'operate',
    summary: 'Assign a quantity of an order line to a shipment, or change it',
    params: assignment,
    query: closed({}, basedOn),
    body: AssignmentInput,
    success: { status: 200, body: AssignmentVersion },
    refusals: [
      'assignment_changed',
      'purchase_order_not_found',
      'line_not_found',
      'shipment_not_found',
      'purchase_order_cancelled',
      'shipment_cancelled',
      'quantity_exceeded',
    ],
  },
  pack: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/purchaseOrders/{reference}/lines/{line}/assignments/{svc_shipment_id}/shippedLines',
    tag: 'Purchase orders',
    right: 'operate',
    summary: 'Record how the assigned quantity is packed into containers',
    params: assignment,
    query: closed({}, basedOn),
    body: Packing,
    success: { status: 200, body: AssignmentVersion },
    refusals: ['assignment_not_found', 'assignment_changed', 'shipment_cancelled', 'quantity_exceeded'],
  },
  unassign: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/purchaseOrders/{reference}/lines/{line}/assignments/{svc_shipment_id}',
    tag: 'Purchase orders',
    right: 'operate',
    summary: 'Remove an order line from a shipment',
    params: assignment,
    query: closed({}, { reason: Reason, ...basedOn }),
    success: { status: 200, body: Removed },
    refusals: ['assignment_not_found', 'assignment_changed'],
  },
} as const satisfies Record<string, OperatorOperation>
