import { type Static, type TSchema, Type } from 'typebox'
import { take } from '../operation.js'
import { Document, DocumentType } from '../public/document.js'
import { Invoice, invoiceStatuses, invoiceTypes } from '../public/invoice.js'
import { PurchaseOrder } from '../public/purchase-order.js'
import { currencies, PortCode, Price, SimpleDate } from '../public/shared-types.js'
import { freightModes, Shipment, shipmentStatuses } from '../public/shipment.js'
import { closed, described, Identifier, named, oneOf, patterned } from '../schema.js'
import { OrderArrival } from './inbound.js'

/** Searchable, filtered, sorted and paged lists. Their entries are the bodies of /v1. */

export const Words = Type.String({
  maxLength: 200,
  description: 'Words or prefixes of words, all of which have to match.',
})

/** Several values of a query parameter, separated by commas. */
function severalOf(values: readonly string[], description: string) {
  const one = `(?:${values.join('|')})`
  const message = `must be one or several of ${values.join(', ')}, separated by commas`
  return patterned(`^${one}(?:,${one})*$`, message, { maxLength: 500, description })
}

const order = oneOf(['asc', 'desc'], {
  description:
    'Sort order. Default: descending for `newest` and `late`, ascending for all others. Entries without a value come last.',
})
// Room for an identifier of 255 characters, however escaped, and a sort key as long.
const after = Type.String({ maxLength: 5000, description: 'Cursor: `next` of the previous page.' })
const page = { after, take: take(100, { default: 50 }) }

/** Of an exported list. */
const format = oneOf(['csv', 'xlsx'])

const Count = closed({
  value: Type.Integer({ minimum: 0 }),
  exact: Type.Boolean({ description: 'False if counting stopped at a limit.' }),
})
const rest = { count: Count }

export const shipmentSorts = ['newest', 'departure', 'arrival', 'delivery', 'name', 'late'] as const

/** Filters of shipments, shared with the export. */
export const shipmentFilter = {
  q: Words,
  status: severalOf(shipmentStatuses, 'Statuses.'),
  freight_mode: severalOf(freightModes, 'Modes.'),
  origin: PortCode,
  destination: PortCode,
  location: Type.Integer({ description: 'A location of the account where shipments are picked up or delivered.' }),
  departs_from: SimpleDate,
  departs_to: SimpleDate,
  arrives_from: SimpleDate,
  arrives_to: SimpleDate,
  late: Type.Enum(['true', 'now'], {
    type: 'string',
    description:
      'Only shipments that are expected, or were delivered, after their desired delivery date. `now`: only those not delivered yet.',
  }),
  sort: oneOf(shipmentSorts),
  order,
}
export const ShipmentSearch = closed({}, { ...shipmentFilter, ...page })
export const ShipmentExport = closed({ format: oneOf(['csv', 'xlsx']) }, shipmentFilter)
export const ShipmentPage = named(
  'ShipmentPage',
  {
    shipments: Type.Array(Shipment),
    held: Type.Array(Identifier, {
      description:
        'Those of these shipments that customs or the carrier hold: with an open exception of the kind `hold`.',
    }),
    ...rest,
  },
  { next: after },
)
export type ShipmentPage = Static<typeof ShipmentPage>

const counted = (value: TSchema) => Type.Array(closed({ value, count: Type.Integer({ minimum: 0 }) }))
// /v1 has port codes only; people know ports by their names.
const countedPlaces = Type.Array(
  closed({ value: Type.String(), count: Type.Integer({ minimum: 0 }) }, { name: Type.String() }),
)
export const ShipmentFacets = named('ShipmentFacets', {
  status: counted(Type.String()),
  freight_mode: counted(Type.String()),
  origin: countedPlaces,
  destination: countedPlaces,
})

export const orderStates = ['open', 'partly_assigned', 'assigned', 'shipped', 'cancelled'] as const
const orderFilter = {
  q: Words,
  state: severalOf(
    orderStates,
    'Progress of an order: nothing, a part or all of it assigned, all shipped, or cancelled.',
  ),
  supplier: Type.String({ maxLength: 255 }),
  late: Type.Enum(['true', 'now'], {
    type: 'string',
    description:
      'Only orders of which something is expected, or was delivered, after the desired delivery date. `now`: only what is not delivered yet counts.',
  }),
  sort: oneOf(['newest', 'reference', 'supplier', 'ex_factory', 'delivery']),
  order,
}
export const OrderSearch = closed({}, { ...orderFilter, ...page })
export const OrderExport = closed({ format }, orderFilter)
export const Suppliers = named('Suppliers', {
  suppliers: Type.Array(Type.String(), {
    description: 'Values for the `supplier` filter. Names that start with the search text come first.',
  }),
  more: Type.Boolean({ description: 'Whether there are more than `take`.' }),
})
export const OrderPage = named(
  'OrderPage',
  {
    purchase_orders: Type.Array(PurchaseOrder),
    arrivals: Type.Array(OrderArrival, { description: 'When each of these orders arrives.' }),
    ...rest,
  },
  { next: after },
)
export type OrderPage = Static<typeof OrderPage>

export const invoiceStates = ['open', 'overdue', 'settled'] as const
const invoiceFilter = {
  q: Words,
  state: oneOf(invoiceStates),
  status: severalOf(invoiceStatuses, 'Statuses.'),
  type: oneOf(invoiceTypes),
  currency: oneOf(currencies),
  due_from: SimpleDate,
  due_to: SimpleDate,
  sort: oneOf(['newest', 'due', 'number', 'amount']),
  order,
}
export const InvoiceSearch = closed({}, { ...invoiceFilter, ...page })
export const InvoiceExport = closed({ format }, invoiceFilter)
const OutstandingInvoice = closed({
  reference: described(Identifier, 'The invoice.'),
  amounts: Type.Array(Price, { description: 'What has to be paid, by currency.' }),
})
const InvoiceGross = closed({
  reference: described(Identifier, 'The invoice or credit note.'),
  amounts: Type.Array(Price, { description: 'Its gross total, by currency.' }),
})
export const InvoicePage = named(
  'InvoicePage',
  {
    invoices: Type.Array(Invoice),
    outstanding: Type.Array(OutstandingInvoice, {
      description: 'What has to be paid on these invoices, without those on which nothing has to be paid.',
    }),
    gross: Type.Array(InvoiceGross, {
      description:
        'The gross totals of these invoices: of credit notes, they can differ from the sum of the lines by a cent.',
    }),
    ...rest,
  },
  { next: after },
)
export type InvoicePage = Static<typeof InvoicePage>

export const LocationExport = closed({ format }, { q: Words })

const documentFilter = { q: Words, type: DocumentType, svc_shipment_id: Identifier }
export const DocumentSearch = closed({}, { ...documentFilter, ...page })
export const DocumentExport = closed({ format }, documentFilter)
export const DocumentPage = named('DocumentPage', { documents: Type.Array(Document), ...rest }, { next: after })
export type DocumentPage = Static<typeof DocumentPage>
