import type { AccountBilling, Language, PaymentTerms, TaxCategory } from '../../../../src/contract/billing.js'

/** The billing settings of a customer as they are typed. Empty: as for everyone. */
export type BillingDraft = {
  name: string
  /** One line each. */
  address: string
  country: string
  vatNumber: string
  registration: string
  days: string
  from: NonNullable<PaymentTerms['from']>
  tax: TaxCategory | ''
  language: Language | ''
  only: 'true' | 'false' | ''
}

export function billingDraftOf(settings: AccountBilling): BillingDraft {
  const { buyer = {}, terms, tax_category = '', language = '', credit_and_reissue_only: only } = settings
  return {
    name: buyer.name ?? '',
    address: buyer.address?.join('\n') ?? '',
    country: buyer.country ?? '',
    vatNumber: buyer.vat_number ?? '',
    registration: buyer.registration ?? '',
    days: terms === undefined ? '' : String(terms.days),
    from: terms?.from ?? 'invoice_date',
    tax: tax_category,
    language,
    only: only === undefined ? '' : only ? 'true' : 'false',
  }
}

export function billingOf(draft: BillingDraft): AccountBilling {
  const [name, country, vat_number, registration] = [
    draft.name,
    draft.country.toUpperCase(),
    draft.vatNumber,
    draft.registration,
  ].map((value) => value.trim())
  const address = linesOf(draft.address)
  const buyer = {
    ...(name && { name }),
    ...(address.length > 0 && { address }),
    ...(country && { country }),
    ...(vat_number && { vat_number }),
    ...(registration && { registration }),
  }
  return {
    ...(Object.keys(buyer).length > 0 && { buyer }),
    ...(draft.days !== '' && { terms: { days: Number(draft.days), from: draft.from } }),
    ...(draft.tax !== '' && { tax_category: draft.tax }),
    ...(draft.language !== '' && { language: draft.language }),
    ...(draft.only !== '' && { credit_and_reissue_only: draft.only === 'true' }),
  }
}

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
