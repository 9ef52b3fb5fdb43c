import { type Static, Type } from 'typebox'
import { skip, take } from '../operation.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { DateWithTime, SimpleDate, trackingDateStatuses } from './shared-types.js'
import { ShipmentStatus } from './shipment.js'

/** Extensions: when what is ordered arrives. */

const arrivalStatuses = [...trackingDateStatuses, 'unknown'] as const
const described = <Schema extends object>(schema: Schema, description: string): Schema =>
  Object.assign({ ...schema }, { description })

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
const date_status = oneOf(arrivalStatuses, { description: 'The status of the expected date.' })
const unassigned_quantity = Type.Number({ description: 'Ordered, and not assigned to a shipment.' })
const unshipped_quantity = Type.Number({ description: 'Assigned to shipments, and not packed.' })

const partFields = {
  svc_shipment_id: Identifier,
  shipment_name: Type.String(),
  ...dateFields,
  date_of: oneOf(['delivery', 'arrival'], { description: 'Which date it is.' }),
  location: Type.String({ description: 'Where to: the `id` of a location, or else the code of a port.' }),
  vessel: Type.String(),
}

const LineArrival = named(
  'LineArrival',
  { svc_shipment_id: Identifier, quantity: Type.Number(), shipped_quantity: Type.Number(), date_status },
  { ...partFields, shipment_status: ShipmentStatus },
)
export type LineArrival = Static<typeof LineArrival>

// The last of the arrivals that are still to come; once all are there, the last that came.
const wholeFields = {
  date_status,
  unassigned_quantity,
  unshipped_quantity,
}

const LineArrivals = named(
  'LineArrivals',
  {
    line: Identifier,
    sku: Identifier,
    ordered_quantity: Type.Number(),
    ...wholeFields,
    arrivals: Type.Array(LineArrival, { description: 'By shipment, without cancelled ones.' }),
  },
  { name: Type.String(), ...dateFields },
)
export type LineArrivals = Static<typeof LineArrivals>

export const OrderArrivals = named(
  'OrderArrivals',
  { reference: Identifier, ...wholeFields, lines: Type.Array(LineArrivals) },
  { desired_delivery_date: SimpleDate, desired_ex_factory_date: SimpleDate, ...dateFields },
)
export type OrderArrivals = Static<typeof OrderArrivals>

const EarlierArrival = named('EarlierArrival', { quantity: Type.Number(), date_status }, { expected_date: SimpleDate })

export const InboundLine = named(
  'InboundLine',
  {
    sku: Identifier,
    reference: described(Identifier, 'The purchase order.'),
    line: Identifier,
    quantity: Type.Number({
      description: 'What the shipment brings of the line; without a shipment, what is not assigned to any.',
    }),
    shipped_quantity: Type.Number({ description: 'What of it is packed.' }),
    date_status,
    is_delivered: Type.Boolean(),
  },
  {
    name: Type.String({ description: 'The name of the product, or else its description.' }),
    supplier_name: Type.String(),
    desired_delivery_date: SimpleDate,
    ...partFields,
    was: described(
      EarlierArrival,
      'With `since`: what was known then. Absent if the shipment was to bring nothing of the line.',
    ),
  },
)
export type InboundLine = Static<typeof InboundLine>

const only = (description: string) => Type.Enum(['true'], { type: 'string', description })

export const inboundSorts = ['date', 'sku', 'order', 'late'] as const

/** The filters, shared by all lists and exports of what arrives. */
export const inboundFilter = {
  q: Type.String({
    maxLength: 200,
    description: 'Parts of the SKU, product, order, supplier or shipment, all of which have to match.',
  }),
  sku: Identifier,
  reference: described(Identifier, 'A purchase order.'),
  svc_shipment_id: Identifier,
  supplier: Type.String({ maxLength: 255 }),
  location: described(Identifier, 'The `id` of a location, or the code of a port.'),
  from: described(SimpleDate, 'Expected on this day or later.'),
  to: described(SimpleDate, 'Expected on this day or earlier.'),
  late: only('Only what is later than desired.'),
  unassigned: only('Only what is not assigned to a shipment.'),
  delivered: Type.Enum(['true', 'false', 'any'], {
    type: 'string',
    default: 'false',
    description: 'Whether it has been delivered. With `since`, the default is `any`.',
  }),
  since: described(
    DateWithTime,
    'Only what has moved since then: another date, another quantity, another shipment. What is not assigned is left out.',
  ),
  sort: oneOf(inboundSorts, { description: 'What has no date comes last.' }),
}
export const InboundQuery = closed({}, { ...inboundFilter, skip, take: take(1000, { default: 100 }) })
export type InboundQuery = Static<typeof InboundQuery>

export const DelayQuery = closed(
  {},
  {
    days: Type.Integer({ minimum: 1, maximum: 365, default: 5, description: 'How many days later it is.' }),
    vessel: only('All shipments on the same vessel are later.'),
  },
)

const DelayedLine = named(
  'DelayedLine',
  {
    sku: Identifier,
    reference: Identifier,
    line: Identifier,
    svc_shipment_id: Identifier,
    quantity: Type.Number(),
    expected_date: SimpleDate,
    delayed_date: SimpleDate,
    is_late_now: Type.Boolean({ description: 'Late already without the delay.' }),
  },
  { name: Type.String(), desired_delivery_date: SimpleDate, days_late: Type.Integer() },
)

export const Delay = named('Delay', {
  shipments: Type.Array(Identifier),
  lines_concerned: Type.Integer({ minimum: 0 }),
  late_lines: Type.Array(DelayedLine, {
    description: 'Lines that would be late, those that are not yet first. The first 500.',
  }),
  newly_late: closed({
    lines: Type.Integer({ minimum: 0 }),
    orders: Type.Integer({ minimum: 0 }),
    skus: Type.Integer({ minimum: 0 }),
  }),
})
export type Delay = Static<typeof Delay>
