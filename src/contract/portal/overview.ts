import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { DateWithTime, Price, SimpleDate, trackingDateStatuses } from '../shared-types.js'
import { freightModes, shipmentStatuses } from '../shipment.js'

/** What somebody wants to know first in the morning. */

const count = Type.Integer({ minimum: 0 })

/** A shipment in a line. */
const glance = {
  svc_shipment_id: Identifier,
  name: Type.String(),
  freight_mode: oneOf(freightModes),
  origin: Type.String(),
  destination: Type.String(),
}
const { svc_shipment_id, ...aboutIt } = glance

export const Overview = named('Overview', {
  today: SimpleDate,
  shipments_by_status: Type.Array(closed({ status: oneOf(shipmentStatuses), count })),
  coming: Type.Array(
    closed(
      {
        svc_shipment_id,
        what: oneOf(['departure', 'arrival']),
        day: SimpleDate,
        date: DateWithTime,
        status: oneOf(trackingDateStatuses),
      },
      aboutIt,
    ),
    {
      description:
        'Departures and arrivals of two weeks, of which today is the first day. In the order of their days; 200 at most.',
    },
  ),
  late: closed({
    count: Type.Integer({ minimum: 0, description: 'Of those under way; 10,000 at most.' }),
    worst: Type.Array(
      closed(
        { svc_shipment_id, days: Type.Integer({ minimum: 1 }), desired_delivery_date: SimpleDate },
        { ...aboutIt, expected_on: SimpleDate },
      ),
      { description: 'Those under way that are the latest.' },
    ),
  }),
  invoices: Type.Array(
    closed({
      currency: Type.String(),
      open: Type.Number(),
      open_count: count,
      overdue: Type.Number(),
      overdue_count: count,
    }),
    { description: 'What is to be paid, by currency.' },
  ),
  invoices_exact: Type.Boolean({ description: 'False when there are more open invoices than were summed up.' }),
  unassigned_orders: closed({
    count,
    first: Type.Array(
      closed({ reference: Identifier }, { supplier_name: Type.String(), desired_ex_factory_date: SimpleDate }),
      { description: 'Those that are wanted first.' },
    ),
  }),
})
export type Overview = Static<typeof Overview>

const SearchHit = closed(
  {
    kind: oneOf(['shipment', 'purchase_order', 'invoice', 'document']),
    id: Identifier,
    title: Type.String(),
  },
  {
    detail: Type.String({ description: 'What tells it from others, such as the container that was looked for.' }),
    svc_shipment_id: Identifier,
  },
)
export const SearchHits = named('SearchHits', { hits: Type.Array(SearchHit) })
export type SearchHits = Static<typeof SearchHits>

const Bucket = closed({ amount: Type.Number(), count })
export const InvoiceTotals = named('InvoiceTotals', {
  today: SimpleDate,
  currencies: Type.Array(
    closed({
      currency: Type.String(),
      not_due: Bucket,
      overdue_1_to_30: Bucket,
      overdue_31_to_60: Bucket,
      overdue_61_to_90: Bucket,
      overdue_beyond_90: Bucket,
    }),
    { description: 'What is still to be paid, by how long ago it was due.' },
  ),
  exact: Type.Boolean({
    description: 'False when more than 2,000 invoices are open: the totals are of those that were due first.',
  }),
})
export type InvoiceTotals = Static<typeof InvoiceTotals>

export const InvoiceStanding = named(
  'InvoiceStanding',
  {
    totals: Type.Array(closed({ net: Price, vat: Price, gross: Price }), { description: 'One for each currency.' }),
    paid: Type.Array(Price),
    credited: Type.Array(Price),
    balance: Type.Array(Price),
    payments: Type.Array(closed({ amount: Price }, { paid_on: Type.String(), reference: Type.String() })),
    credit_notes: Type.Array(closed({ reference: Identifier }, { number: Type.String() })),
  },
  { credits: closed({ reference: Identifier }, { number: Type.String() }) },
)
export type InvoiceStanding = Static<typeof InvoiceStanding>
