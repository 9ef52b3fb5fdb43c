import { type Static, Type } from 'typebox'
import { Invoice, InvoiceRecord, invoiceStatuses, PaymentAmount, PaymentRecord } from '../public/invoice.js'
import { currencies, DateWithTime, Price, SimpleDate } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { Reason, versionOf } from './version.js'

/** Invoices and credit notes: drafts, numbers, payments. */

const InputLine = named(
  'InvoiceInputLine',
  { description: Type.String({ minLength: 1, maxLength: 1000 }) },
  {
    category: Type.String({ maxLength: 100 }),
    quantity: closed({ value: Type.Number() }, { unit: Type.String({ maxLength: 100 }) }),
    unit_rate: Price,
    price: Price,
    vatRate: Type.Number({ minimum: 0, maximum: 100, description: 'Percentage.' }),
  },
)

const content = { lines: Type.Array(InputLine, { minItems: 1, maxItems: 1000 }) }
const details = { due_date: SimpleDate, usd_to_eur_rate: Type.Number({ exclusiveMinimum: 0 }) }

const reference = Object.assign(
  { ...Identifier },
  { description: 'Generated if omitted. It must not look like an invoice number; those are assigned on issue.' },
)

export const InvoiceDraft = named('InvoiceDraft', content, {
  reference,
  svc_shipment_id: Identifier,
  ...details,
})
export const InvoiceContent = named('InvoiceContent', content, { svc_shipment_id: Identifier, ...details })
export const CreditNoteDraft = named('CreditNoteDraft', content, { reference, ...details })

export const Issue = named(
  'Issue',
  {},
  {
    sent_date: Object.assign({ ...DateWithTime }, { description: 'Default: now.' }),
    due_date: Object.assign({ ...SimpleDate }, { description: 'Default: that of the draft.' }),
    status: oneOf(['available', 'due'], { default: 'available' }),
  },
)

export const InvoiceMove = named('InvoiceMove', { status: oneOf(invoiceStatuses) }, { reason: Reason })

export const PaymentCreate = named(
  'PaymentCreate',
  { amount: PaymentAmount, currency: oneOf(currencies), paid_on: SimpleDate },
  {
    payment_id: Object.assign(
      { ...Identifier },
      { description: 'Identifier in the system of origin. A repeated payment is recorded once.' },
    ),
    note: Type.String({ maxLength: 1000 }),
  },
)

export const Total = named('Total', {
  currency: oneOf(currencies),
  net: Type.Number(),
  vat: Type.Array(closed({ rate: Type.Number(), net: Type.Number(), amount: Type.Number() })),
  gross: Type.Number(),
})
export type Total = Static<typeof Total>

const version = versionOf('', InvoiceRecord, Invoice)

/** An invoice with its totals, payments, credit notes and outstanding amounts. */
export const InvoiceVersion = named('InvoiceVersion', {
  ...version.properties,
  totals: Type.Array(Total),
  payments: Type.Array(PaymentRecord),
  credit_notes: Type.Array(Identifier, { description: 'References of its credit notes, including drafts.' }),
  outstanding: Type.Array(Price, {
    description:
      'Outstanding amounts by currency, for a credit note the amounts to refund; negative after an overpayment. Zero after a write-off; empty for a draft.',
  }),
})
export type InvoiceVersion = Static<typeof InvoiceVersion>
