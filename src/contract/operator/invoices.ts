import { type Static, Type } from 'typebox'
import { InvoiceCheck, TaxCategory, TemplateCharge } from '../billing.js'
import { Invoice, InvoiceRecord, invoiceStatuses, PaymentAmount, PaymentRecord } from '../public/invoice.js'
import { currencies, DateWithTime, Price, SimpleDate } from '../public/shared-types.js'
import { freightModes } from '../public/shipment.js'
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
    tax_category: TaxCategory,
    disbursement: Type.Boolean({
      description: 'Paid on behalf of the customer: passed on without tax, and shown apart.',
    }),
  },
)

const content = { lines: Type.Array(InputLine, { minItems: 1, maxItems: 1000 }) }
const details = { due_date: SimpleDate, usd_to_eur_rate: Type.Number({ exclusiveMinimum: 0 }) }
const quoted = Object.assign({ ...Price }, { description: 'The total of the accepted quote, without tax.' })

const reference = Object.assign(
  { ...Identifier },
  { description: 'Generated if omitted. It must not look like an invoice number; those are assigned on issue.' },
)

export const InvoiceDraft = named('InvoiceDraft', content, {
  reference,
  svc_shipment_id: Identifier,
  ...details,
  quoted,
})
export const InvoiceContent = named('InvoiceContent', content, { svc_shipment_id: Identifier, ...details, quoted })
export const CreditNoteDraft = named('CreditNoteDraft', content, { reference, ...details })

export const Issue = named(
  'Issue',
  {},
  {
    sent_date: Object.assign({ ...DateWithTime }, { description: 'Default: now.' }),
    due_date: Object.assign({ ...SimpleDate }, { description: 'Default: that of the draft, or by the payment terms.' }),
    status: oneOf(['available', 'due'], { default: 'available' }),
  },
)

export const InvoiceMove = named(
  'InvoiceMove',
  { status: oneOf(invoiceStatuses) },
  {
    reason: Reason,
    disputed_lines: Type.Array(Type.Integer({ minimum: 0 }), {
      maxItems: 1000,
      description: 'With `litigious`: the lines that are disputed, the first is 0. The rest can be paid. Default: all.',
    }),
  },
)

export const PaymentCreate = named(
  'PaymentCreate',
  { amount: PaymentAmount, currency: oneOf(currencies), paid_on: SimpleDate },
  {
    payment_id: Object.assign(
      { ...Identifier },
      { description: 'Identifier in the system of origin. A repeated payment is recorded once.' },
    ),
    note: Type.String({ maxLength: 1000 }),
    excess: oneOf(['refuse', 'keep_unapplied'], {
      default: 'refuse',
      description: 'What to do with more than is owed: refuse the payment, or keep the rest for other invoices.',
    }),
  },
)

export const PaymentApplication = named(
  'PaymentApplication',
  { reference: Object.assign({ ...Identifier }, { description: 'The invoice to apply it to.' }) },
  { amount: Object.assign({ ...PaymentAmount }, { description: 'Default: as much as is owed and unapplied.' }) },
)

export const PaymentRefund = named(
  'PaymentRefund',
  { refunded_on: SimpleDate },
  {
    amount: Object.assign({ ...PaymentAmount }, { description: 'Default: all that is unapplied.' }),
    note: Type.String({ maxLength: 1000 }),
  },
)

const TaxedPart = closed(
  { rate: Type.Number(), net: Type.Number(), amount: Type.Number() },
  { tax_category: TaxCategory },
)
export const Total = named(
  'Total',
  { currency: oneOf(currencies), net: Type.Number(), vat: Type.Array(TaxedPart), gross: Type.Number() },
  {
    disbursements: Type.Number({ description: 'The part of the net amount that was paid on behalf of the customer.' }),
  },
)
export type Total = Static<typeof Total>

const AccountingTotal = named('AccountingTotal', {
  of: oneOf(currencies),
  currency: oneOf(currencies),
  rate: Type.Number(),
  rate_date: SimpleDate,
  net: Type.Number(),
  vat: Type.Number(),
  gross: Type.Number(),
})
export type AccountingTotal = Static<typeof AccountingTotal>

export const InvoiceChecks = named('InvoiceChecks', {
  can_issue: Type.Boolean({ description: 'Whether none of the checks blocks it.' }),
  checks: Type.Array(InvoiceCheck),
})

export const TemplateName = Object.assign({ ...Identifier }, { maxLength: 100 })
export const ChargeTemplateContent = named(
  'ChargeTemplateContent',
  { charges: Type.Array(TemplateCharge, { minItems: 1, maxItems: 100 }) },
  { freight_mode: oneOf(freightModes), load_type: oneOf(['fcl', 'lcl']) },
)
export const ChargeTemplate = named('ChargeTemplate', {
  name: TemplateName,
  ...ChargeTemplateContent.properties,
})
export type ChargeTemplate = Static<typeof ChargeTemplate>
export const TemplateUse = named('TemplateUse', { template: TemplateName }, { reference, due_date: SimpleDate })

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
  disputed: Type.Array(Price, { description: 'The gross amounts of the lines in dispute; empty without a dispute.' }),
  accounting: Type.Array(AccountingTotal, {
    description: 'The totals in the accounting currency, by the rate of the day of issue; empty if there is none.',
  }),
})
export type InvoiceVersion = Static<typeof InvoiceVersion>
