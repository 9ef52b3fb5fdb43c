import { type Static, type TSchema, Type } from 'typebox'
import { Document, DocumentType } from '../document.js'
import { Invoice, invoiceStatuses, invoiceTypes } from '../invoice.js'
import { take } from '../operation.js'
import { PurchaseOrder } from '../purchase-order.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { currencies, PortCode, SimpleDate } from '../shared-types.js'
import { freightModes, Shipment, shipmentStatuses } from '../shipment.js'

/** Lists as people look for things: by words, filtered, sorted, a page at a time. What they show are the bodies of /v1. */

export const Words = Type.String({
  maxLength: 200,
  description: 'Words, or the beginnings of words: each of them has to occur.',
})

/** Several values of a query parameter, separated by commas. */
function severalOf(values: readonly string[], description: string) {
  const one = `(?:${values.join('|')})`
  return Type.String({ pattern: `^${one}(?:,${one})*$`, maxLength: 500, description })
}

const order = oneOf(['asc', 'desc'], {
  description:
    'Up or down. `newest` and `late` go down unless it is told, all others up. What has no value comes last.',
})
// An identifier of 255 characters, however they have to be written, and a key as long.
const after = Type.String({ maxLength: 5000, description: 'Where the page begins: `next` of the page before it.' })
const page = { after, take: take(100, { default: 50 }) }

const Count = closed({
  value: Type.Integer({ minimum: 0 }),
  exact: Type.Boolean({ description: 'False when there are more than were counted.' }),
})
const rest = { count: Count }

export const shipmentSorts = ['newest', 'departure', 'arrival', 'delivery', 'name', 'late'] as const

/** What shipments are found by; the export takes the same. */
export const shipmentFilter = {
  q: Words,
  status: severalOf(shipmentStatuses, 'Statuses.'),
  freight_mode: severalOf(freightModes, 'Modes.'),
  origin: PortCode,
  destination: PortCode,
  location: Type.Integer({ description: 'A location of the account: what is picked up or delivered there.' }),
  departs_from: SimpleDate,
  departs_to: SimpleDate,
  arrives_from: SimpleDate,
  arrives_to: SimpleDate,
  late: Type.Enum(['true'], { type: 'string', description: 'Only those that come after their desired delivery date.' }),
  sort: oneOf(shipmentSorts),
  order,
}
export const ShipmentSearch = closed({}, { ...shipmentFilter, ...page })
export const ShipmentExport = closed({ format: oneOf(['csv', 'xlsx']) }, shipmentFilter)
export const ShipmentPage = named('ShipmentPage', { shipments: Type.Array(Shipment), ...rest }, { next: after })
export type ShipmentPage = Static<typeof ShipmentPage>

const counted = (value: TSchema) => Type.Array(closed({ value, count: Type.Integer({ minimum: 0 }) }))
// /v1 knows ports by their codes only; people know them by their names.
const countedPlaces = Type.Array(
  closed({ value: Type.String(), count: Type.Integer({ minimum: 0 }) }, { name: Type.String() }),
)
export const ShipmentFacets = named('ShipmentFacets', {
  status: counted(Type.String()),
  freight_mode: counted(Type.String()),
  origin: countedPlaces,
  destination: countedPlaces,
})

export const orderStates = ['open', 'partly_assigned', 'assigned', 'shipped'] as const
export const OrderSearch = closed(
  {},
  {
    q: Words,
    state: severalOf(orderStates, 'How far an order has got: nothing, a part, or all of it assigned, or all shipped.'),
    supplier: Type.String({ maxLength: 255 }),
    sort: oneOf(['newest', 'reference', 'supplier', 'ex_factory', 'delivery']),
    order,
    ...page,
  },
)
export const Suppliers = named('Suppliers', {
  suppliers: Type.Array(Type.String(), {
    description: 'Each as the search for orders takes it. Names that begin with what was typed come first.',
  }),
  more: Type.Boolean({ description: 'Whether there are more than were asked for.' }),
})
export const OrderPage = named('OrderPage', { purchase_orders: Type.Array(PurchaseOrder), ...rest }, { next: after })
export type OrderPage = Static<typeof OrderPage>

export const invoiceStates = ['open', 'overdue', 'settled'] as const
export const InvoiceSearch = closed(
  {},
  {
    q: Words,
    state: oneOf(invoiceStates),
    status: severalOf(invoiceStatuses, 'Statuses.'),
    type: oneOf(invoiceTypes),
    currency: oneOf(currencies),
    sort: oneOf(['newest', 'due', 'number']),
    order,
    ...page,
  },
)
export const InvoicePage = named('InvoicePage', { invoices: Type.Array(Invoice), ...rest }, { next: after })
export type InvoicePage = Static<typeof InvoicePage>

export const DocumentSearch = closed({}, { q: Words, type: DocumentType, svc_shipment_id: Identifier, ...page })
export const DocumentPage = named('DocumentPage', { documents: Type.Array(Document), ...rest }, { next: after })
export type DocumentPage = Static<typeof DocumentPage>
