import type { AccountBilling, BillingSettings, Language, TaxCategory } from '../../contract/billing.js'
import type { InvoiceRecord, InvoiceRecordLine } from '../../contract/public/invoice.js'
import type { Fault } from '../../contract/refusals.js'

/** Value-added tax by category: rates, and the wording that an invoice needs in its language. */

// Council Directive 2006/112/EC: articles 44, 132 and 135, 144, 146, 196 and 226(11a). Settings replace them by the words of other laws.
const usualWording: Record<Exclude<TaxCategory, 'standard'>, Record<Language, string>> = {
  zero: { en: 'Zero-rated supply: VAT at 0 %.', fr: 'Opération soumise à la TVA au taux de 0 %.' },
  exempt: {
    en: 'Exempt from VAT: Articles 132 and 135, Directive 2006/112/EC.',
    fr: 'Exonération de TVA : articles 132 et 135 de la directive 2006/112/CE.',
  },
  reverse_charge: {
    en: 'Reverse charge: VAT is to be accounted for by the customer, Article 196, Directive 2006/112/EC.',
    fr: 'Autoliquidation : TVA due par le preneur, article 196 de la directive 2006/112/CE.',
  },
  outside_scope: {
    en: 'Outside the scope of VAT: place of supply in the country of the customer, Article 44, Directive 2006/112/EC.',
    fr: 'Hors du champ de la TVA : prestation imposable dans le pays du preneur, article 44 de la directive 2006/112/CE.',
  },
  export: {
    en: 'Exempt from VAT: transport connected with the export or import of goods, Articles 144 and 146, Directive 2006/112/EC.',
    fr: 'Exonération de TVA : transport lié à l’exportation ou à l’importation de biens, articles 144 et 146 de la directive 2006/112/CE.',
  },
}

/** The wording that the lines need, each once. A disbursement needs none: it is no supply of the seller. */
export function taxWording(
  lines: InvoiceRecordLine[],
  language: Language,
  own: BillingSettings['wording'] = {},
): { tax_category: TaxCategory; text: string }[] {
  const used = new Set(lines.filter(({ disbursement }) => !disbursement).map(({ tax_category }) => tax_category))
  return (Object.keys(usualWording) as (keyof typeof usualWording)[])
    .filter((category) => used.has(category))
    .map((category) => ({
      tax_category: category,
      text: own[category]?.[language] || usualWording[category][language],
    }))
}

export type TaxDefaults = {
  standardRate?: number | undefined
  category?: TaxCategory | undefined
  /** Of lines that name neither rate nor category, before those of the customer. */
  credited?: Pick<InvoiceRecordLine, 'vatRate' | 'tax_category'> | undefined
}

/**
 * Decision: a customer without a category pays the standard rate, unless it is in another country than the seller: there
 * the tax depends on what the forwarder has to state, so the line stays open and the check `tax` asks for the category.
 */
export function taxDefaults(
  { seller, standard_rate: standardRate }: BillingSettings,
  { buyer, tax_category }: AccountBilling,
): TaxDefaults {
  const isAbroad = buyer?.country !== undefined && seller?.country !== undefined && buyer.country !== seller.country
  const usual = standardRate && !isAbroad ? 'standard' : undefined
  return { standardRate, category: tax_category ?? usual }
}

/** What lines of a credit note have that name no tax: that of the invoice, if all of its lines have the same. */
export function creditedTax({ lines = [] }: Pick<InvoiceRecord, 'lines'>): TaxDefaults['credited'] {
  const [first, ...others] = lines.filter(({ disbursement }) => !disbursement)
  const isSame = others.every((line) => line.vatRate === first?.vatRate && line.tax_category === first?.tax_category)
  return first && isSame ? { vatRate: first.vatRate, tax_category: first.tax_category } : undefined
}

/** A line that names neither rate nor category gets those of its customer; a category decides on the rate. */
export function withTax(line: InvoiceRecordLine, { standardRate, category, credited }: TaxDefaults): InvoiceRecordLine {
  if (line.disbursement)
    return { ...line, vatRate: line.vatRate ?? 0, tax_category: line.tax_category ?? 'outside_scope' }
  const isOpen = line.vatRate === undefined && line.tax_category === undefined
  if (isOpen && credited) return { ...line, ...definedIn(credited) }
  const { vatRate, tax_category = isOpen ? category : undefined } = line
  if (tax_category === undefined) return line
  const rate = vatRate ?? (tax_category === 'standard' ? standardRate : 0)
  return { ...line, tax_category, ...(rate !== undefined && { vatRate: rate }) }
}

function definedIn({ vatRate, tax_category }: NonNullable<TaxDefaults['credited']>): Partial<InvoiceRecordLine> {
  return { ...(vatRate !== undefined && { vatRate }), ...(tax_category && { tax_category }) }
}

/** Faults of one line, with pointers within it. */
export function taxFaults({ vatRate, tax_category, disbursement }: InvoiceRecordLine): Fault[] {
  if (disbursement && (vatRate ?? 0) > 0) {
    return [{ pointer: '/vatRate', detail: 'must be 0: a disbursement is passed on without tax' }]
  }
  if (disbursement && tax_category !== 'outside_scope') {
    return [{ pointer: '/tax_category', detail: 'must be outside_scope: a disbursement is passed on without tax' }]
  }
  if (tax_category === undefined) return []
  if (tax_category !== 'standard') {
    return (vatRate ?? 0) > 0 ? [{ pointer: '/vatRate', detail: `must be 0 for the category ${tax_category}` }] : []
  }
  if (vatRate === undefined) {
    return [{ pointer: '/vatRate', detail: 'is required: the billing settings have no standard rate' }]
  }
  return vatRate > 0 ? [] : [{ pointer: '/vatRate', detail: 'must be greater than 0 for the category standard' }]
}
