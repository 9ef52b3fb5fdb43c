import { type Static, Type } from 'typebox'
import { Currency, currencies, dayOf, Price, SimpleDate } from './public/shared-types.js'
import { closed, described, explained, Identifier, named, oneOf, patterned } from './schema.js'

/** What an invoice needs beyond the interface: parties, bank, terms, taxes, checks. Customers see it on the PDF. */

export const taxCategories = ['standard', 'zero', 'exempt', 'reverse_charge', 'outside_scope', 'export'] as const
export type TaxCategory = (typeof taxCategories)[number]
export const TaxCategory = explained(taxCategories, 'Why a line has the value-added tax that it has.', {
  standard: 'Taxed, at the rate of the line.',
  zero: 'Taxed at 0 %.',
  exempt: 'Exempt from tax.',
  reverse_charge: 'The customer accounts for the tax.',
  outside_scope: 'Not within the scope of the tax.',
  export: 'Exempt, since it is part of an export or import of goods.',
})

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })
export const Language = oneOf(['en', 'fr'])
export type Language = Static<typeof Language>

export const Party = named(
  'Party',
  {},
  {
    name: text(200, 'The legal name.'),
    address: Type.Array(text(200, 'A line of the address.'), { maxItems: 6 }),
    country: patterned('^[A-Z]{2}$', 'must be a country code of two letters, such as DE'),
    vat_number: text(40, 'With its country code.'),
    registration: text(100, 'Number and place of the register of companies.'),
  },
)
export type Party = Static<typeof Party>

export const BankDetails = named(
  'BankDetails',
  { iban: text(42, 'With or without spaces.') },
  {
    holder: text(70, 'Of the account; default: the name of the seller.'),
    bic: text(11, 'BIC.'),
    bank: text(100, 'Name.'),
  },
)
export type BankDetails = Static<typeof BankDetails>

export const PaymentTerms = named(
  'PaymentTerms',
  { days: Type.Integer({ minimum: 0, maximum: 365 }) },
  {
    from: oneOf(['invoice_date', 'end_of_month'], {
      description: 'From when the days count.',
      default: 'invoice_date',
    }),
  },
)
export type PaymentTerms = Static<typeof PaymentTerms>

export const ExchangeRate = named('ExchangeRate', {
  currency: Currency,
  rate: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e9,
    description: 'Units of the accounting currency for one unit of the currency.',
  }),
  date: SimpleDate,
})
export type ExchangeRate = Static<typeof ExchangeRate>

const Accounting = closed({ currency: Currency, rates: Type.Array(ExchangeRate, { maxItems: 40 }) })

/** As it was when the invoice was issued: later changes of the settings do not change the invoice. */
export const InvoiceBilling = named(
  'InvoiceBilling',
  { language: Language },
  {
    seller: Party,
    buyer: Party,
    bank: BankDetails,
    terms: PaymentTerms,
    payment_reference: text(35, 'What the customer is asked to give with the payment.'),
    accounting: Accounting,
    wording: Type.Array(closed({ tax_category: TaxCategory, text: text(500, 'As printed.') }), { maxItems: 6 }),
  },
)
export type InvoiceBilling = Static<typeof InvoiceBilling>

export const InvoiceDispute = named(
  'InvoiceDispute',
  {
    lines: Type.Array(Type.Integer({ minimum: 0 }), {
      maxItems: 1000,
      description: 'The disputed lines, the first is 0. Empty: the whole invoice.',
    }),
    since: dayOf('When the dispute was recorded.'),
  },
  {
    reason: text(1000, 'What the customer says.'),
    credited: Type.Array(Price, {
      maxItems: 40,
      description: 'What was credited before the dispute. Absent if nothing was.',
    }),
  },
)
export type InvoiceDispute = Static<typeof InvoiceDispute>

export const checkNames = [
  'seller',
  'buyer',
  'tax',
  'duplicate',
  'units',
  'chargeable_weight',
  'weight_or_measure',
  'free_time',
  'mode',
  'incoterm',
  'delivery',
  'quote',
  'exchange_rate',
] as const
export type CheckName = (typeof checkNames)[number]
export const checkMeanings: Record<CheckName, string> = {
  seller: 'Name, address, VAT number and bank details of the forwarder are known.',
  buyer: 'Name and address of the customer are known.',
  tax: 'Rates and categories of the tax agree, and what a category needs is known.',
  duplicate: 'No charge is on the invoice twice, or on another invoice of the shipment.',
  units: 'Charges by container or TEU agree with the containers.',
  chargeable_weight: 'Kilograms of air freight agree with the chargeable weight.',
  weight_or_measure: 'The W/M of LCL freight agrees with weight and volume.',
  free_time: 'Days of demurrage, detention and storage agree with the clocks.',
  mode: 'The charges fit the freight mode.',
  incoterm: 'The charges fit the Incoterm.',
  delivery: 'Delivery is charged only if it has taken place.',
  quote: 'The total agrees with the accepted quote.',
  exchange_rate: 'There is an exchange rate from every currency to the accounting currency.',
}
const CheckName = explained(checkNames, 'What is checked.', checkMeanings)

const Figures = closed({
  charged: Type.Number({ description: 'The figure on the invoice.' }),
  expected: Type.Number({ description: 'The figure that it was compared with.' }),
  unit: Type.String({ description: 'Of the figures.' }),
})
export type Figures = Static<typeof Figures>
const compared = Type.Array(Figures, { description: 'What was compared and agrees.' })

export const findingKinds = [
  'missing',
  'no_vat_number',
  'no_category',
  'repeated',
  'on_other_invoice',
  'differs',
  'not_for_mode',
  'borne_by_other_side',
  'not_delivered',
  'no_rate',
] as const
const checkOutcomes = ['passed', 'warning', 'blocked', 'not_applicable'] as const
export const InvoiceCheck = named('InvoiceCheck', {
  check: CheckName,
  outcome: explained(checkOutcomes, 'What came of it.', {
    passed: 'Nothing is wrong.',
    warning: 'Something may be wrong; it can be issued.',
    blocked: 'It cannot be issued.',
    not_applicable: 'The invoice has nothing of the kind, or nothing is known to compare it with.',
  }),
  findings: Type.Array(
    closed(
      {
        kind: explained(findingKinds, 'What does not agree.', {
          missing: 'A field of the settings is not filled in.',
          no_vat_number: 'Reverse charge needs the VAT number of the customer.',
          no_category: 'There is no tax, and no category that says why.',
          repeated: 'The line is on the invoice twice.',
          on_other_invoice: 'The line is on another invoice of the shipment.',
          differs: 'The figures differ.',
          not_for_mode: 'The charge belongs to another freight mode.',
          borne_by_other_side: 'By the Incoterm, the other side pays for it.',
          not_delivered: 'The goods are not delivered yet.',
          no_rate: 'There is no exchange rate: the total in the accounting currency is left out.',
        }),
        message: Type.String({ description: 'The same in words, with its figures.' }),
      },
      {
        line: Type.Integer({ minimum: 0, description: 'The line of the invoice; the first is 0.' }),
        subject: Type.String({
          description: 'The field, invoice, freight mode, Incoterm or currency that it is about.',
        }),
        ...Figures.properties,
      },
    ),
  ),
  compared,
})
export type InvoiceCheck = Static<typeof InvoiceCheck>
export type CheckFinding = InvoiceCheck['findings'][number]

/** The checks that an issued invoice has passed, as its customer sees them. */
export const PassedChecks = named('PassedChecks', {
  reference: described(Identifier, 'The invoice.'),
  checks: Type.Array(
    closed({
      check: CheckName,
      meaning: Type.String({ description: 'What was checked, in words.' }),
      compared,
    }),
    { description: 'The checks that it passed before it was issued.' },
  ),
})
export type PassedChecks = Static<typeof PassedChecks>

export const chargeUnits = ['flat', 'container', 'teu', 'chargeable_kg', 'wm', 'kg', 'cbm'] as const
export type ChargeUnit = (typeof chargeUnits)[number]

export const TemplateCharge = named(
  'TemplateCharge',
  { description: text(1000, 'As on the invoice.'), unit_rate: Price },
  {
    category: Type.String({ maxLength: 100 }),
    per: explained(chargeUnits, 'What the rate is multiplied by. Default: once.', {
      flat: 'Once.',
      container: 'Each container.',
      teu: 'Each twenty-foot equivalent unit.',
      chargeable_kg:
        'Each kilogram of the chargeable weight: what was booked, or else the weight, or the volume at 1:6000 (kg for cm³), rounded up to half kilograms.',
      wm: 'Each tonne or cubic metre, whichever is more, at least 1.',
      kg: 'Each kilogram.',
      cbm: 'Each cubic metre.',
    }),
    tax_category: TaxCategory,
    vatRate: Type.Number({ minimum: 0, maximum: 100 }),
    disbursement: Type.Boolean(),
  },
)
export type TemplateCharge = Static<typeof TemplateCharge>

const severities = Object.fromEntries(
  checkNames.map((name) => [
    name,
    Type.Optional(oneOf(['off', 'warn', 'block'], { description: `${checkMeanings[name]} Default: \`warn\`.` })),
  ]),
) as Record<CheckName, ReturnType<typeof severity>>
function severity() {
  return Type.Optional(oneOf(['off', 'warn', 'block']))
}

const wording = closed({}, { en: Type.String({ maxLength: 500 }), fr: Type.String({ maxLength: 500 }) })

const prefix = (description: string) =>
  Object.assign(
    { ...patterned('^[A-Z][A-Z0-9]{0,9}$', 'must be at most 10 capital letters and digits, a letter first') },
    { description },
  )
const NumberPrefixes = closed(
  {},
  { invoice: prefix('Of invoices. Default: `INV`.'), credit_note: prefix('Of credit notes. Default: `CN`.') },
)
export type NumberPrefixes = Static<typeof NumberPrefixes>

/** The forwarder's own. */
export const BillingSettings = named(
  'BillingSettings',
  {},
  {
    seller: Party,
    bank: BankDetails,
    terms: PaymentTerms,
    language: Language,
    time_zone: Type.String({
      maxLength: 60,
      description: 'Decides the year of a number. Default: the date as it is written.',
    }),
    standard_rate: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'VAT in percent, for lines that name no rate. Default category of customers that have none and are not known to be in another country than the seller: `standard`.',
    }),
    wording: closed(
      {},
      {
        zero: wording,
        exempt: wording,
        reverse_charge: wording,
        outside_scope: wording,
        export: wording,
      },
    ),
    accounting_currency: oneOf(currencies),
    rates: Type.Array(ExchangeRate, { maxItems: 40 }),
    number_prefixes: Object.assign(
      { ...NumberPrefixes },
      { description: 'With what numbers begin from now on. Installations of one seller need prefixes of their own.' },
    ),
    credit_and_reissue_only: Type.Boolean({ default: true, description: 'An issued invoice is never edited.' }),
    checks: closed(severities),
  },
)
export type BillingSettings = Static<typeof BillingSettings>

/** What differs for one account. */
export const AccountBilling = named(
  'AccountBilling',
  {},
  {
    buyer: Party,
    terms: PaymentTerms,
    language: Language,
    tax_category: TaxCategory,
    credit_and_reissue_only: Type.Boolean({ description: "Default: the forwarder's setting." }),
  },
)
export type AccountBilling = Static<typeof AccountBilling>
