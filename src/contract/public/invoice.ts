import { type Static, Type } from 'typebox'
import { InvoiceBilling, InvoiceCheck, InvoiceDispute, TaxCategory } from '../billing.js'
import { closed, described, explained, Identifier, named } from '../schema.js'
import { Currency, dayOf, Price, ShipmentId, timeOf } from './shared-types.js'

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

const InvoiceType = explained(invoiceTypes, 'Whether the account owes the amount or gets it.', {
  invoice: 'To be paid by the account.',
  credit_note: 'Credited to the account.',
})
export const InvoiceStatus = explained(invoiceStatuses, 'How far it is paid.', {
  available: 'Sent, and not yet due.',
  due: 'To be paid now.',
  in_modification: 'Being corrected by the forwarder.',
  litigious: 'Disputed.',
  new: 'Issued, and not yet sent.',
  paid: 'Paid in full.',
  partially_paid: 'Paid in part.',
  write_off: 'Written off: nothing is to be paid any more.',
})

export const PaymentAmount = Type.Number({ exclusiveMinimum: 0, maximum: 1e15 })

export const InvoiceLine = named(
  'InvoiceLine',
  {},
  {
    category: Type.String({
      description: 'The kind of charge, as the forwarder groups them, such as freight or customs.',
    }),
    description: Type.String({ description: 'What is charged, in words.' }),
    price: described(Price, 'Of the whole line, without value-added tax.'),
    quantity: described(
      closed(
        {},
        {
          value: Type.Number({ description: 'How many units are charged.' }),
          unit: Type.String({ description: 'What is counted, such as containers or kilograms.' }),
        },
      ),
      'What the price was computed from. Absent for a flat charge.',
    ),
    unit_rate: described(Price, 'The price of one unit of the quantity, without value-added tax.'),
    vatRate: Type.Number({ description: 'Value-added tax in percent: 20 for 20 %.' }),
  },
)
export type InvoiceLine = Static<typeof InvoiceLine>

export const Invoice = named(
  'Invoice',
  { reference: described(Identifier, "The forwarder's identifier of the invoice, which may differ from its number.") },
  {
    number: described(Identifier, 'The number printed on it, as bookkeeping needs it.'),
    svc_shipment_id: described(ShipmentId, 'The shipment that it is for. Absent if it is for none in particular.'),
    type: InvoiceType,
    status: InvoiceStatus,
    sent_date: timeOf('When it was sent to the account; lists are sorted by it.'),
    due_date: dayOf('Until when it is to be paid.'),
    lines: Type.Array(InvoiceLine, { description: 'What is charged. The total is the sum of their prices and taxes.' }),
    usd_to_eur_rate: Type.Number({
      description: 'Euros for one US dollar, where amounts were converted. Absent otherwise.',
    }),
  },
)
export type Invoice = Static<typeof Invoice>

/** A line as it is stored. */
export const InvoiceRecordLine = named('InvoiceRecordLine', InvoiceLine.properties, {
  tax_category: TaxCategory,
  disbursement: Type.Boolean({
    description: 'Paid on behalf of the customer: passed on without tax, and shown apart.',
  }),
})
export type InvoiceRecordLine = Static<typeof InvoiceRecordLine>

const storedFields = { ...Invoice.properties, lines: Type.Optional(Type.Array(InvoiceRecordLine)) }
/** An invoice as it is stored. Only the forwarder sees drafts; a credit note may name the invoice it credits. */
const VatRounding = closed({
  currency: Currency,
  rate: Type.Number({ description: 'In percent.' }),
  amount: Type.Number({ description: 'What is added to the tax of the rate.' }),
})
export type VatRounding = Static<typeof VatRounding>

export const InvoiceRecord = named('InvoiceRecord', storedFields, {
  draft: Type.Boolean({ description: 'Whether only the forwarder sees it.' }),
  credited_invoice: described(Identifier, 'The reference of the invoice that a credit note credits.'),
  vat_rounding: Type.Array(VatRounding, {
    maxItems: 1000,
    description: 'So that the credit notes of an invoice give back its tax to the cent. Absent without a difference.',
  }),
  quoted: described(Price, 'The total of the quote that the customer accepted, without tax.'),
  dispute: described(InvoiceDispute, 'What the customer disputes. Absent without a dispute.'),
  billing: described(InvoiceBilling, 'Parties, bank and terms as of the day of issue.'),
  checks: Type.Array(InvoiceCheck, { description: 'The checks before it was issued.' }),
})
export type InvoiceRecord = Static<typeof InvoiceRecord>

/** A payment of an invoice, or a refund of a credit note. */
export const PaymentRecord = named(
  'PaymentRecord',
  {
    payment_id: described(Identifier, 'The identifier of the payment.'),
    reference: described(Identifier, 'The invoice that was paid, or the credit note that was refunded.'),
    amount: described(PaymentAmount, 'In whole units of the currency, with decimals.'),
    currency: Currency,
    paid_on: dayOf('When the money arrived.'),
  },
  {
    note: Type.String({ description: 'Anything worth knowing about it.' }),
    unapplied: described(
      PaymentAmount,
      'The part of the amount that was more than owed, and is not applied to any invoice.',
    ),
    split_from: described(Identifier, 'The payment whose unapplied part this is.'),
    refunds: Type.Array(
      closed(
        { amount: PaymentAmount, refunded_on: dayOf('When the money was sent back.') },
        { note: Type.String({ maxLength: 1000 }) },
      ),
      { maxItems: 100, description: 'What was unapplied and was paid back to the customer.' },
    ),
  },
)
export type PaymentRecord = Static<typeof PaymentRecord>
