import type { BillingSettings, Language, TaxCategory } from '../../contract/billing.js'
import type { InvoiceRecordLine } from '../../contract/public/invoice.js'
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

type Defaults = { standardRate?: number | undefined; category?: TaxCategory | undefined }

/** A line that names neither rate nor category gets those of its customer; a category decides on the rate. */
export function withTax(line: InvoiceRecordLine, { standardRate, category }: Defaults): InvoiceRecordLine {
  if (line.disbursement)
    return { ...line, vatRate: line.vatRate ?? 0, tax_category: line.tax_category ?? 'outside_scope' }
  const { vatRate, tax_category = vatRate === undefined ? category : undefined } = line
  if (tax_category === undefined) return line
  const rate = vatRate ?? (tax_category === 'standard' ? standardRate : 0)
  return { ...line, tax_category, ...(rate !== undefined && { vatRate: rate }) }
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
