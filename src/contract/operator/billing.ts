import { type Static, Type } from 'typebox'
import { AccountBilling, BillingSettings } from '../billing.js'
import { take } from '../operation.js'
import { invoiceStatuses, invoiceTypes, PaymentRecord } from '../public/invoice.js'
import { currencies, DateWithTime, Price, SimpleDate } from '../public/shared-types.js'
import { freightModes, shipmentStatuses } from '../public/shipment.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { handledFilter } from './work-filter.js'

/** Settings of invoicing, checks, and what the office needs of the invoices of all accounts. */

const Series = closed({ series: Type.String(), year: Type.Integer(), last: Type.Integer() }, { last_date: SimpleDate })
export const BillingOverview = named('BillingOverview', {
  settings: BillingSettings,
  series: Type.Array(Series, { description: 'The last number of each series, and its date.' }),
})
export const AccountBillingSettings = named('AccountBillingSettings', {
  settings: AccountBilling,
  unapplied: Type.Array(Price, { description: 'What the customer has paid and was not applied to an invoice.' }),
  unapplied_payments: Type.Array(PaymentRecord, {
    description: 'The payments of which a part is not applied to an invoice, at most 1,000.',
  }),
})

const InvoiceRow = named(
  'InvoiceRow',
  {
    account: Identifier,
    account_name: Type.String(),
    reference: Identifier,
    draft: Type.Boolean(),
    type: oneOf(invoiceTypes),
    totals: Type.Array(Price, { description: 'Gross, by currency.' }),
    outstanding: Type.Array(Price),
    disputed: Type.Array(Price),
  },
  {
    number: Identifier,
    status: oneOf(invoiceStatuses),
    svc_shipment_id: Identifier,
    sent_date: DateWithTime,
    due_date: SimpleDate,
    overdue_days: Type.Integer({ minimum: 1 }),
  },
)
export type InvoiceRow = Static<typeof InvoiceRow>
const count = Type.Integer({ minimum: 0 })
export const FoundInvoices = named(
  'FoundInvoices',
  {
    today: SimpleDate,
    counts: closed({ draft: count, open: count, overdue: count, disputed: count }),
    invoices: Type.Array(InvoiceRow),
  },
  { next: Type.String({ description: 'Cursor of the next page.' }) },
)

export const ForwarderInvoiceSearch = closed(
  {},
  {
    state: oneOf(['all', 'draft', 'open', 'overdue', 'disputed', 'settled'], { default: 'all' }),
    account: Identifier,
    type: oneOf(invoiceTypes),
    ...handledFilter,
    q: Type.String({ maxLength: 200, description: 'Part of a number or reference, or a shipment.' }),
    after: Type.String({ maxLength: 1000, description: 'Cursor: `next` of the previous page.' }),
    take: take(200, { default: 50 }),
  },
)
export type ForwarderInvoiceSearch = Static<typeof ForwarderInvoiceSearch>

export const UnbilledShipments = named('UnbilledShipments', {
  shipments: Type.Array(
    closed(
      {
        account: Identifier,
        account_name: Type.String(),
        svc_shipment_id: Identifier,
        has_draft: Type.Boolean(),
      },
      {
        name: Type.String(),
        status: oneOf(shipmentStatuses),
        freight_mode: oneOf(freightModes),
        delivered_on: DateWithTime,
      },
    ),
  ),
})

const Bucket = Type.Number({ minimum: 0 })
export const Receivables = named(
  'Receivables',
  {
    today: SimpleDate,
    customers: Type.Array(
      closed({
        account: Identifier,
        account_name: Type.String(),
        currency: oneOf(currencies),
        not_due: Bucket,
        overdue_1_to_30: Bucket,
        overdue_31_to_60: Bucket,
        overdue_61_to_90: Bucket,
        overdue_beyond_90: Bucket,
        total: Bucket,
        unapplied: Bucket,
        exact: Type.Boolean({ description: 'Whether all open invoices are in the sums.' }),
      }),
    ),
  },
  { next: Identifier },
)

const Candidate = closed(
  { account: Identifier, account_name: Type.String(), reference: Identifier, outstanding: Price },
  { number: Identifier },
)
export const matchOutcomes = [
  'exact',
  'partial',
  'excess',
  'by_amount',
  'ambiguous',
  'unknown',
  'recorded',
  'unreadable',
] as const
export const PaymentMatch = closed(
  {
    row: Type.Integer({ minimum: 1 }),
    text: Type.String(),
    outcome: oneOf(matchOutcomes, {
      description:
        '`exact`: number and amount agree. `partial`, `excess`: less or more than is outstanding after earlier rows. `by_amount`: the row names no invoice, and one open invoice has this amount. `recorded`: the payment was recorded before, on any account.',
    }),
    candidates: Type.Array(Candidate),
  },
  {
    payment_id: Identifier,
    paid_on: SimpleDate,
    amount: Type.Number({ exclusiveMinimum: 0 }),
    currency: oneOf(currencies),
  },
)
export type PaymentMatch = Static<typeof PaymentMatch>
export const BankList = named(
  'BankList',
  {
    text: Type.String({
      minLength: 1,
      maxLength: 200_000,
      description: 'Rows as copied from a bank statement or a spreadsheet: date, amount and reference, in any order.',
    }),
  },
  { currency: oneOf(currencies, { description: 'Of rows that name none.', default: 'EUR' }) },
)
