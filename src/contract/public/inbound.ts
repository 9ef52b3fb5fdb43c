import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { closed, described, explained, Identifier, named } from '../schema.js'
import { OrderCancellation } from './purchase-order.js'
import { DateWithTime, dayOf, ShipmentId, SimpleDate, Sku, trackingDateStatuses } from './shared-types.js'
import { ShipmentStatus } from './shipment.js'

/** Extensions: when what is ordered arrives. */

const arrivalStatuses = [...trackingDateStatuses, 'unknown'] as const

const dateFields = {
  expected_date: described(
    SimpleDate,
    'The day of the delivery, or else of the arrival, at the place itself. Absent while it is unknown.',
  ),
  days_late: Type.Integer({
    description:
      'Days from the desired date to the expected one, negative if that is earlier. What is not delivered is late by at least the days since the desired date.',
  }),
}
const date_status = explained(arrivalStatuses, 'How far the expected date can be relied on.', {
  estimated: 'Expected, by what is known now.',
  actual: 'It has happened.',
  planned: 'As planned or booked; nothing newer was reported.',
  problem: 'Expected, while something stands in the way, such as a hold or a rollover.',
  unknown: 'Nothing is known.',
})
const line = described(Identifier, 'The `reference` of the line of the order.')
const productName = Type.String({ description: 'The name of the product, or else its description.' })
const desiredDelivery = dayOf('When the account wants to have the goods.')
const unassigned_quantity = Type.Number({ description: 'Ordered, and not assigned to a shipment.' })
const unshipped_quantity = Type.Number({ description: 'Assigned to shipments, and not packed.' })

const partFields = {
  svc_shipment_id: described(ShipmentId, 'The shipment that brings it. Absent if it is assigned to none.'),
  shipment_name: Type.String({ description: 'The `name` of the shipment.' }),
  ...dateFields,
  date_of: explained(['delivery', 'arrival'], 'Which date `expected_date` is.', {
    delivery: 'The delivery to the consignee.',
    arrival: 'The arrival at the port: nothing is known of a delivery.',
  }),
  location: Type.String({ description: 'Where to: the `id` of a location, or else the code of a port.' }),
  vessel: Type.String({ description: 'The vessel that carries it. Absent if none is known.' }),
}

const LineArrival = named(
  'LineArrival',
  {
    svc_shipment_id: described(ShipmentId, 'The shipment that brings it.'),
    quantity: Type.Number({ description: 'How many pieces of the line it brings.' }),
    shipped_quantity: Type.Number({ description: 'How many of them are packed.' }),
    date_status,
  },
  { ...partFields, shipment_status: described(ShipmentStatus, 'Where that shipment stands.') },
)
export type LineArrival = Static<typeof LineArrival>

// The last of the arrivals that are still to come; once all is there, the last that came.
const wholeFields = {
  date_status,
  unassigned_quantity,
  unshipped_quantity,
}

const LineArrivals = named(
  'LineArrivals',
  {
    line,
    sku: Sku,
    ordered_quantity: Type.Number({ description: 'How many pieces are ordered.' }),
    ...wholeFields,
    arrivals: Type.Array(LineArrival, { description: 'By shipment, without cancelled ones.' }),
  },
  { name: productName, ...dateFields },
)
export type LineArrivals = Static<typeof LineArrivals>

export const OrderArrivals = named(
  'OrderArrivals',
  {
    reference: described(Identifier, 'The order: its `po_number`.'),
    ...wholeFields,
    lines: Type.Array(LineArrivals, { description: 'Each line of the order, with what brings it.' }),
  },
  {
    desired_delivery_date: desiredDelivery,
    desired_ex_factory_date: dayOf('When the goods are to leave the supplier.'),
    ...dateFields,
    cancellation: OrderCancellation,
  },
)
export type OrderArrivals = Static<typeof OrderArrivals>

const EarlierArrival = named(
  'EarlierArrival',
  { quantity: Type.Number({ description: 'What the shipment was to bring.' }), date_status },
  { expected_date: dayOf('When it was expected. Absent if that was unknown.') },
)

export const InboundLine = named(
  'InboundLine',
  {
    sku: Sku,
    reference: described(Identifier, 'The purchase order.'),
    line,
    quantity: Type.Number({
      description: 'What the shipment brings of the line; without a shipment, what is not assigned to any.',
    }),
    shipped_quantity: Type.Number({ description: 'What of it is packed.' }),
    date_status,
    is_delivered: Type.Boolean({ description: 'Whether the shipment has been delivered.' }),
  },
  {
    name: productName,
    supplier_name: Type.String({ description: 'The supplier, as the account itself names it.' }),
    desired_delivery_date: desiredDelivery,
    ...partFields,
    was: described(
      EarlierArrival,
      'With `since`: what was known then. Absent if the shipment was to bring nothing of the line.',
    ),
  },
)
export type InboundLine = Static<typeof InboundLine>

const only = (description: string) => explained(['true'], description, { true: 'Only those; all if it is omitted.' })

export const inboundSorts = ['date', 'sku', 'order', 'late'] as const

/** The filters, shared by all lists and exports of what arrives. */
export const inboundFilter = {
  q: Type.String({
    maxLength: 200,
    description: 'Parts of the SKU, product, order, supplier or shipment, all of which have to match.',
  }),
  sku: described(Sku, 'Only this product.'),
  reference: described(Identifier, 'Only this purchase order.'),
  svc_shipment_id: described(ShipmentId, 'Only what this shipment brings.'),
  supplier: Type.String({ maxLength: 255, description: 'Only from this supplier, as the orders name it.' }),
  location: described(Identifier, 'The `id` of a location, or the code of a port.'),
  from: described(SimpleDate, 'Expected on this day or later.'),
  to: described(SimpleDate, 'Expected on this day or earlier.'),
  late: only('Only what is later than desired.'),
  unassigned: only('Only what is not assigned to a shipment.'),
  delivered: explained(
    ['true', 'false', 'any'],
    'Whether it has been delivered. With `since`, the default is `any`.',
    { true: 'Only what has been.', false: 'Only what is still to come.', any: 'Both.' },
    { default: 'false' },
  ),
  since: described(
    DateWithTime,
    'Only what has moved since then: another date, another quantity, another shipment. What is not assigned is left out.',
  ),
  sort: explained(inboundSorts, 'In which order. What has no date comes last.', {
    date: 'Soonest first.',
    sku: 'By SKU.',
    order: 'By purchase order.',
    late: 'Latest against the desired date first.',
  }),
}
export const InboundQuery = closed({}, { ...inboundFilter, skip, take: take(1000, { default: 100 }) })
export type InboundQuery = Static<typeof InboundQuery>

export const DelayQuery = closed(
  {},
  {
    days: Type.Integer({ minimum: 1, maximum: 365, default: 5, description: 'How many days later it is.' }),
    vessel: only('All shipments on the same vessel are later. Without a `vessel` in the response, only this one.'),
  },
)

const DelayedLine = named(
  'DelayedLine',
  {
    sku: Sku,
    reference: described(Identifier, 'The purchase order.'),
    line,
    svc_shipment_id: described(ShipmentId, 'The shipment that brings it.'),
    quantity: Type.Number({ description: 'How many pieces of the line it brings.' }),
    expected_date: dayOf('When it is expected now.'),
    delayed_date: dayOf('When it would come with the delay.'),
    is_late_now: Type.Boolean({ description: 'Late already without the delay.' }),
  },
  {
    name: productName,
    desired_delivery_date: desiredDelivery,
    days_late: Type.Integer({ description: 'Days from the desired date to the delayed one.' }),
  },
)

export const Delay = named(
  'Delay',
  {
    shipments: Type.Array(Identifier, { description: 'The shipments that would be later.' }),
    lines_concerned: Type.Integer({ minimum: 0, description: 'How many order lines they bring.' }),
    late_lines: Type.Array(DelayedLine, {
      description: 'Lines that would be late, those that are not yet first. The first 500.',
    }),
    newly_late: described(
      closed({
        lines: Type.Integer({ minimum: 0, description: 'Order lines.' }),
        orders: Type.Integer({
          minimum: 0,
          description: 'Purchase orders with such a line that no other line makes late already.',
        }),
        skus: Type.Integer({ minimum: 0, description: 'Products of such a line.' }),
      }),
      'How much would be late only because of the delay.',
    ),
  },
  {
    vessel: Type.String({
      description:
        'The vessel that the goods are on, or go on with next: by the events, else as booked. Absent if none is known, and once they have arrived.',
    }),
  },
)
export type Delay = Static<typeof Delay>
