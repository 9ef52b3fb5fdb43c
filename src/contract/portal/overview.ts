import { type Static, Type } from 'typebox'
import { DateWithTime, Price, SimpleDate, trackingDateStatuses } from '../public/shared-types.js'
import { freightModes, shipmentStatuses } from '../public/shipment.js'
import { closed, described, Identifier, named, oneOf } from '../schema.js'

/** The start page: what is on its way, late, unpaid and unassigned. */

const count = Type.Integer({ minimum: 0 })

/** As the list counts: `exact` is false if counting stopped at a limit. */
const listed = closed({ value: count, exact: Type.Boolean() })

/** The summary of a shipment. */
const summary = {
  svc_shipment_id: Identifier,
  name: Type.String(),
  freight_mode: oneOf(freightModes),
  origin: Type.String(),
  destination: Type.String(),
}
const { svc_shipment_id, ...summaryOptional } = summary

export const Overview = named('Overview', {
  today: SimpleDate,
  // How many entries the lists have that need somebody.
  to_do: closed({
    late: listed,
    arriving: listed,
    days: Type.Integer({ description: 'The days from today that `arriving` covers.' }),
    overdue_invoices: listed,
    unassigned_orders: listed,
    late_orders: listed,
    // Open exceptions of a kind.
    held: listed,
    free_time: listed,
    missing_documents: listed,
  }),
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
      summaryOptional,
    ),
    {
      description: 'Departures and arrivals of two weeks from today, by day; at most 200.',
    },
  ),
  coming_totals: described(
    closed({
      departures: described(listed, 'As many as the list of departures has.'),
      arrivals: described(listed, 'As many as the list of arrivals has.'),
    }),
    'Departures and arrivals of the two weeks, also those that `coming` leaves out.',
  ),
  coming_days: Type.Array(
    closed({
      day: SimpleDate,
      departures: Type.Integer({ minimum: 0, description: 'How many shipments depart.' }),
      arrivals: Type.Integer({ minimum: 0, description: 'How many shipments arrive.' }),
    }),
    { description: 'The days of the two weeks that have any, also with those that `coming` leaves out.' },
  ),
  late: closed({
    count: Type.Integer({ minimum: 0, description: 'Late shipments under way; counted up to 10,000.' }),
    worst: Type.Array(
      closed(
        { svc_shipment_id, days: Type.Integer({ minimum: 1 }), desired_delivery_date: SimpleDate },
        { ...summaryOptional, expected_on: SimpleDate },
      ),
      { description: 'The shipments under way with the longest delays.' },
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
    { description: 'Outstanding amounts by currency.' },
  ),
  invoices_exact: Type.Boolean({ description: 'False if there are more open invoices than were added up.' }),
  unassigned_orders: closed({
    count,
    first: Type.Array(
      closed({ reference: Identifier }, { supplier_name: Type.String(), desired_ex_factory_date: SimpleDate }),
      { description: 'Those with the earliest desired dates.' },
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
    detail: Type.String({ description: 'Distinguishing detail, such as the container that matched.' }),
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
    { description: 'Outstanding amounts by age.' },
  ),
  exact: Type.Boolean({
    description: 'False if more than 2,000 invoices are open: the totals cover those due first.',
  }),
})
export type InvoiceTotals = Static<typeof InvoiceTotals>

export const InvoiceStanding = named(
  'InvoiceStanding',
  {
    totals: Type.Array(closed({ net: Price, vat: Price, gross: Price }), { description: 'One per currency.' }),
    paid: Type.Array(Price),
    credited: Type.Array(Price),
    balance: Type.Array(Price),
    payments: Type.Array(closed({ amount: Price }, { paid_on: Type.String(), reference: Type.String() })),
    credit_notes: Type.Array(closed({ reference: Identifier }, { number: Type.String() })),
  },
  { credits: closed({ reference: Identifier }, { number: Type.String() }) },
)
export type InvoiceStanding = Static<typeof InvoiceStanding>
