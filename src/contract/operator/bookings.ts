import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { dayOf, Sku } from '../public/shared-types.js'
import { closed, described, explained, Identifier, named } from '../schema.js'
import type { OperatorOperation } from './operation.js'
import { AssignmentRecord, OrderLineInput } from './shipments.js'
import { accountParam, HistoryId, origin } from './version.js'
import { handledFilter } from './work-filter.js'

/** Orders that wait for a shipment, and the order lines of a shipment. */

const states = explained(['open', 'partly_assigned'], 'How much of the order is assigned to shipments.', {
  open: 'Nothing.',
  partly_assigned: 'Some of it.',
})

export const OpenOrderSearch = closed(
  {},
  {
    q: Type.String({ maxLength: 200, description: 'Words or beginnings of them: order, SKU, product, supplier.' }),
    account: Identifier,
    state: states,
    ...handledFilter,
    after: Type.String({ maxLength: 5000, description: 'Cursor: `next` of the previous page.' }),
    take: take(100, { default: 50 }),
  },
)
export type OpenOrderSearch = Static<typeof OpenOrderSearch>

const quantities = {
  ordered_quantity: Type.Number({ description: 'How many pieces are ordered.' }),
  open_quantity: Type.Number({ description: 'How many of them are not assigned to a shipment.' }),
}
const productFields = { name: Type.String({ description: 'By which people know the product.' }) }

const OpenLine = named('OpenLine', { line: Identifier, sku: Sku, ...quantities }, productFields)

export const OpenOrder = named(
  'OpenOrder',
  {
    account: Identifier,
    account_name: Type.String(),
    reference: Identifier,
    state: states,
    lines: Type.Array(OpenLine, { description: 'Those with a quantity that is not assigned.' }),
  },
  {
    supplier_name: Type.String({ description: 'The supplier, as the account itself names it.' }),
    desired_ex_factory_date: dayOf('When the goods are to leave the supplier.'),
    desired_delivery_date: dayOf('When the account wants to have the goods.'),
  },
)
export type OpenOrder = Static<typeof OpenOrder>

const OpenOrders = named(
  'OpenOrders',
  { orders: Type.Array(OpenOrder, { description: 'Those that are wanted first come first.' }) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)

export const ShipmentOrderLine = named(
  'ShipmentOrderLine',
  {
    id: described(HistoryId, 'Identifier for its history.'),
    ...origin,
    record: AssignmentRecord,
    sku: Sku,
    ...quantities,
  },
  productFields,
)
export type ShipmentOrderLine = Static<typeof ShipmentOrderLine>

const OrderLines = named('OrderLines', {
  order_lines: Type.Array(OrderLineInput, {
    minItems: 1,
    maxItems: 500,
    description: 'Each line once. All are assigned, or none.',
  }),
})

const shipment = closed({ ...accountParam, svc_shipment_id: Identifier })

export const bookingOperations = {
  findOpenOrders: {
    method: 'GET',
    path: '/ops/v1/purchaseOrders/open',
    covers: 'own_accounts',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'List orders of all accounts with quantities that are not assigned, those that are wanted first',
    query: OpenOrderSearch,
    // It waits until the changes of the accounts are indexed.
    isFeed: true,
    success: { status: 200, body: OpenOrders },
    refusals: ['account_not_found'],
  },
  listOrderLines: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/orderLines',
    tag: 'Purchase orders',
    right: 'read',
    summary: 'List the order lines of a shipment, and how they are packed',
    params: shipment,
    query: closed({}, { skip, take: take(1000, { default: 100 }) }),
    success: { status: 200, body: Type.Array(ShipmentOrderLine) },
    refusals: ['shipment_not_found'],
  },
  addOrderLines: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/shipments/{svc_shipment_id}/orderLines',
    tag: 'Purchase orders',
    right: 'operate',
    summary: 'Assign quantities of several order lines to a shipment, on top of what it has of them',
    params: shipment,
    body: OrderLines,
    success: { status: 200, body: Type.Array(ShipmentOrderLine) },
    refusals: ['shipment_not_found', 'shipment_cancelled'],
  },
} as const satisfies Record<string, OperatorOperation>
