import { type Static, Type } from 'typebox'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { currencies, DateWithTime, Price, SimpleDate } from './shared-types.js'

/** Interface 2.4: invoices and credit notes. */

export const invoiceTypes = ['invoice', 'credit_note'] as const
export type InvoiceType = (typeof invoiceTypes)[number]

export const invoiceStatuses = [
  'available',
  'due',
  'in_modification',
  'litigious',
  'new',
  'paid',
  'partially_paid',
  'write_off',
] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const PaymentAmount = Type.Number({ exclusiveMinimum: 0, maximum: 1e15 })

export const InvoiceLine = named(
  'InvoiceLine',
  {},
  {
    category: Type.String(),
    description: Type.String(),
    price: Price,
    quantity: closed({}, { value: Type.Number(), unit: Type.String() }),
    unit_rate: Price,
    vatRate: Type.Number({ description: 'Percentage.' }),
  },
)
export type InvoiceLine = Static<typeof InvoiceLine>

export const Invoice = named(
  'Invoice',
  { reference: Identifier },
  {
    number: Identifier,
    svc_shipment_id: Identifier,
    type: oneOf(invoiceTypes),
    status: oneOf(invoiceStatuses),
    sent_date: DateWithTime,
    due_date: SimpleDate,
    lines: Type.Array(InvoiceLine),
    usd_to_eur_rate: Type.Number(),
  },
)
export type Invoice = Static<typeof Invoice>

/** An invoice as it is stored. Only the forwarder sees drafts; a credit note may name the invoice it credits. */
export const InvoiceRecord = named('InvoiceRecord', Invoice.properties, {
  draft: Type.Boolean(),
  credited_invoice: Identifier,
})
export type InvoiceRecord = Static<typeof InvoiceRecord>

/** A payment of an invoice, or a refund of a credit note. */
export const PaymentRecord = named(
  'PaymentRecord',
  {
    payment_id: Identifier,
    reference: Identifier,
    amount: PaymentAmount,
    currency: oneOf(currencies),
    paid_on: SimpleDate,
  },
  { note: Type.String() },
)
export type PaymentRecord = Static<typeof PaymentRecord>
