import { type Static, Type } from 'typebox'
import { PassedChecks } from '../billing.js'
import { isRead, type Operation, type PartOf, refusalsAnywhere, refusalsWithBody, skip, take } from '../operation.js'
import type { RefusalCode } from '../refusals.js'
import { closed, described, Identifier } from '../schema.js'
import { documentOperations } from './document-operations.js'
import { eventOperations } from './event-operations.js'
import { exceptionOperations } from './exception-operations.js'
import { TrackingExplanation } from './explanation.js'
import { ShipmentFreeTime } from './free-time.js'
import { inboundOperations } from './inbound-operations.js'
import { Invoice } from './invoice.js'
import { Location } from './location.js'
import { messageOperations } from './message.js'
import {
  CancelledOrder,
  OrderCancellationInput,
  PurchaseOrder,
  PurchaseOrderCreate,
  PurchaseOrderReference,
  PurchaseOrderUpdate,
} from './purchase-order.js'
import { sharedLinkOperations } from './shared-link.js'
import { asOf, OrderNumber, ShipmentId } from './shared-types.js'
import { Shipment } from './shipment.js'
import { Tracking } from './tracking.js'
import { webhookOperations } from './webhook-operations.js'

/** The kinds of resources of an account. Each has a revision, by which reads are validated. */
export const resourceKinds = [
  'shipment',
  'purchase_order',
  'location',
  'invoice',
  'tracking',
  'document',
  'exception',
] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** The names of resources in scopes. */
const resourceNames = {
  shipment: 'shipments',
  purchase_order: 'orders',
  location: 'locations',
  invoice: 'invoices',
  tracking: 'tracking',
  document: 'documents',
  exception: 'exceptions',
} as const satisfies Record<ResourceKind, string>

/** `read` and `write` cover all resources, the others one each. */
export const scopes = [
  'read',
  'write',
  'shipments:read',
  'shipments:write',
  'orders:read',
  'orders:write',
  'locations:read',
  'invoices:read',
  'tracking:read',
  'documents:read',
  'documents:write',
  'exceptions:read',
  'exceptions:write',
] as const
export type Scope = (typeof scopes)[number]

export type PublicOperation = Operation & {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  kind: ResourceKind
  /** Returns a list, validated by the revision of its kind; otherwise one resource, validated by its own revision. */
  list?: true
  /** Format of the request body, if not JSON. */
  accepts?: 'form'
  /** Rendered at each request from resources of these kinds, and validated by their revisions. */
  renderedFrom?: readonly ResourceKind[]
  /** Depends on data of the forwarder, or on the time: validated by its content. */
  validatedByContent?: true
  /** Concerns all kinds: no scope of one resource permits it. */
  concernsAll?: true
  /** The same, and it may wait for changes. */
  isFeed?: true
  /** The response contains a secret, and is encrypted while it is stored for retries. */
  containsSecret?: true
  /** `url` of the body is an address that requests are sent to. */
  checksUrl?: true
}

// Interface 4: these lists return everything. Paging is an extension, enabled by either parameter.
const optionalPage = (maximum: number) => ({ skip, take: take(maximum) })

/** All operations of interface 4. */
export const operations = {
  listShipments: {
    method: 'GET',
    path: '/v1/shipments',
    kind: 'shipment',
    list: true,
    summary: 'List shipments, newest first',
    query: closed({}, { skip, take: take(100, { default: 10 }) }),
    success: { status: 200, body: Type.Array(Shipment) },
    refusals: ['no_shipments_found'],
  },
  getShipment: {
    method: 'GET',
    path: '/v1/shipments/{svc_shipment_id}',
    kind: 'shipment',
    summary: 'Get one shipment',
    params: closed({ svc_shipment_id: ShipmentId }),
    success: { status: 200, body: Shipment },
    refusals: ['shipment_not_found'],
  },
  createPurchaseOrder: {
    method: 'POST',
    path: '/v1/purchaseOrders',
    kind: 'purchase_order',
    summary: 'Create a purchase order',
    body: PurchaseOrderCreate,
    success: { status: 201, body: PurchaseOrderReference, location: '/v1/purchaseOrders/{reference}' },
    refusals: ['purchase_order_exists'],
  },
  updatePurchaseOrder: {
    method: 'PATCH',
    path: '/v1/purchaseOrders',
    kind: 'purchase_order',
    summary: 'Update a purchase order that is not yet assigned to a shipment',
    body: PurchaseOrderUpdate,
    success: { status: 200, body: PurchaseOrderReference },
    refusals: ['purchase_order_not_found', 'purchase_order_assigned', 'purchase_order_cancelled'],
  },
  cancelPurchaseOrder: {
    method: 'POST',
    path: '/v1/purchaseOrders/{reference}/cancellation',
    kind: 'purchase_order',
    summary: 'Cancel a purchase order of which nothing is assigned to a shipment: an extension of the interface',
    params: closed({ reference: OrderNumber }),
    body: OrderCancellationInput,
    success: { status: 200, body: CancelledOrder },
    refusals: ['purchase_order_not_found', 'purchase_order_assigned'],
  },
  listPurchaseOrders: {
    method: 'GET',
    path: '/v1/purchaseOrders',
    kind: 'purchase_order',
    list: true,
    summary: 'List purchase orders, newest first',
    query: closed({}, optionalPage(1000)),
    success: { status: 200, body: Type.Array(PurchaseOrder) },
    refusals: [],
  },
  getPurchaseOrder: {
    method: 'GET',
    path: '/v1/purchaseOrders/{reference}',
    kind: 'purchase_order',
    summary: 'Get one purchase order',
    params: closed({ reference: OrderNumber }),
    success: { status: 200, body: PurchaseOrder },
    refusals: ['purchase_order_not_found'],
  },
  ...inboundOperations,
  listLocations: {
    method: 'GET',
    path: '/v1/locations',
    kind: 'location',
    list: true,
    summary: 'List saved pick-up and delivery locations',
    query: closed({}, optionalPage(1000)),
    success: { status: 200, body: Type.Array(Location) },
    refusals: [],
  },
  getLocation: {
    method: 'GET',
    path: '/v1/locations/{id}',
    kind: 'location',
    summary: 'Get one location',
    params: closed({ id: described(Identifier, 'The `id` of the location.') }),
    success: { status: 200, body: Location },
    refusals: ['location_not_found'],
  },
  listInvoices: {
    method: 'GET',
    path: '/v1/invoices',
    kind: 'invoice',
    list: true,
    summary: 'List invoices and credit notes, newest first',
    query: closed({}, optionalPage(1000)),
    success: { status: 200, body: Type.Array(Invoice) },
    refusals: [],
  },
  getInvoice: {
    method: 'GET',
    path: '/v1/invoices/{reference}',
    kind: 'invoice',
    summary: 'Get one invoice or credit note by its reference, or else by its number',
    params: closed({ reference: described(Identifier, 'Its `reference`, or else its `number`.') }),
    success: { status: 200, body: Invoice },
    refusals: ['invoice_not_found'],
  },
  getInvoiceChecks: {
    method: 'GET',
    path: '/v1/invoices/{reference}/checks',
    kind: 'invoice',
    summary: 'Get the checks that an invoice passed before it was issued: an extension of the interface',
    params: closed({ reference: Identifier }),
    success: { status: 200, body: PassedChecks },
    refusals: ['invoice_not_found'],
  },
  getTracking: {
    method: 'GET',
    path: '/v1/tracking/{svc_shipment_id}',
    kind: 'tracking',
    summary: 'Get the tracking of a shipment',
    params: closed({ svc_shipment_id: ShipmentId }),
    success: { status: 200, body: Tracking },
    refusals: ['tracking_not_found'],
  },
  explainTracking: {
    method: 'GET',
    path: '/v1/tracking/{svc_shipment_id}/explanation',
    kind: 'tracking',
    renderedFrom: ['tracking', 'shipment'],
    summary: 'Explain the dates of a shipment: an extension of the interface',
    params: closed({ svc_shipment_id: ShipmentId }),
    query: closed({}, asOf),
    success: { status: 200, body: TrackingExplanation },
    refusals: ['tracking_not_found'],
  },
  getFreeTime: {
    method: 'GET',
    path: '/v1/shipments/{svc_shipment_id}/freeTime',
    kind: 'tracking',
    renderedFrom: ['tracking', 'shipment'],
    validatedByContent: true,
    summary:
      'Get the last free days of the containers of a shipment, and what they cost: an extension of the interface',
    params: closed({ svc_shipment_id: ShipmentId }),
    query: closed({}, asOf),
    success: { status: 200, body: ShipmentFreeTime },
    refusals: ['tracking_not_found'],
  },
  ...documentOperations,
  ...exceptionOperations,
  ...eventOperations,
  ...sharedLinkOperations,
  ...webhookOperations,
  ...messageOperations,
} as const satisfies Record<string, PublicOperation>

export type Operations = typeof operations
export type OperationName = keyof Operations
export const operationNames = Object.keys(operations) as OperationName[]

// Reads require the scope `read`, everything else `write`.
export function accessOf(operation: Operation): 'read' | 'write' {
  return isRead(operation) ? 'read' : 'write'
}

/** The scopes of which a caller needs one: for all resources, or for the resource of the operation. */
export function scopesFor(operation: PublicOperation): Scope[] {
  const all = accessOf(operation)
  return operation.isFeed || operation.concernsAll ? [all] : [all, `${resourceNames[operation.kind]}:${all}` as Scope]
}

/** The same in words. */
export function neededScopes(operation: PublicOperation): string {
  return scopesFor(operation)
    .map((scope) => `\`${scope}\``)
    .join(' or ')
}

/** The one rule by which scopes permit an operation. */
export function isGranted(granted: readonly Scope[], operation: PublicOperation): boolean {
  return scopesFor(operation).some((scope) => granted.includes(scope))
}

/** All refusals of an operation: its own, and the common ones. */
export function refusalsOf(operation: Operation): RefusalCode[] {
  return [
    ...operation.refusals,
    ...refusalsAnywhere,
    'insufficient_scope',
    'address_not_allowed',
    'account_suspended',
    'too_many_concurrent_requests',
    ...(isRead(operation) ? [] : ([...refusalsWithBody, 'quota_exceeded'] as const)),
  ]
}

export type ParamsOf<Name extends OperationName> = PartOf<Operations[Name], 'params'>
export type QueryOf<Name extends OperationName> = PartOf<Operations[Name], 'query'>
export type BodyOf<Name extends OperationName> = PartOf<Operations[Name], 'body'>
export type ResponseOf<Name extends OperationName> = Static<Operations[Name]['success']['body']>
