import type { BillingSettings } from '../../../../src/contract/billing.js'
import type { Language } from '../../../../src/contract/portal/people.js'
import { typedNumber, typedPercent } from '../../actions/typed-number.js'
import { linesOf } from '../customers/billing-draft.js'

/** The forwarder's settings as they are typed, and as they are sent. */

export type SettingsTexts = Record<
  | 'name'
  | 'address'
  | 'country'
  | 'vatNumber'
  | 'registration'
  | 'iban'
  | 'bic'
  | 'holder'
  | 'days'
  | 'rate'
  | 'zone'
  | 'invoicePrefix'
  | 'notePrefix',
  string
>

export function textsOf(settings: BillingSettings): SettingsTexts {
  const { seller, bank, terms, standard_rate, time_zone, number_prefixes } = settings
  return {
    name: seller?.name ?? '',
    address: seller?.address?.join('\n') ?? '',
    country: seller?.country ?? '',
    vatNumber: seller?.vat_number ?? '',
    registration: seller?.registration ?? '',
    iban: bank?.iban ?? '',
    bic: bank?.bic ?? '',
    holder: bank?.holder ?? '',
    days: terms === undefined ? '' : String(terms.days),
    rate: standard_rate === undefined ? '' : String(standard_rate),
    zone: time_zone ?? '',
    invoicePrefix: number_prefixes?.invoice ?? '',
    notePrefix: number_prefixes?.credit_note ?? '',
  }
}

/** What the form does not show stays as it is. */
export function settingsOf(before: BillingSettings, texts: SettingsTexts, language: Language): BillingSettings {
  const { name, address, country, vatNumber, registration, iban, bic, holder, zone } = texts
  const { invoicePrefix: invoice, notePrefix: credit_note } = texts
  const {
    seller: _seller,
    bank,
    terms,
    standard_rate: _rate,
    time_zone: _zone,
    number_prefixes: _prefixes,
    ...rest
  } = before
  const lines = linesOf(address)
  const seller = {
    ...(name && { name }),
    ...(lines.length > 0 && { address: lines }),
    ...(country && { country: country.toUpperCase() }),
    ...(vatNumber && { vat_number: vatNumber }),
    ...(registration && { registration }),
  }
  const { bic: _bic, holder: _holder, ...account } = bank ?? { iban: '' }
  const [days, rate] = [typedNumber(texts.days, language), typedPercent(texts.rate, language)]
  return {
    ...rest,
    ...(Object.keys(seller).length > 0 && { seller }),
    ...(iban && { bank: { ...account, iban, ...(bic && { bic }), ...(holder && { holder }) } }),
    ...(days !== undefined && { terms: { ...terms, days } }),
    ...(rate !== undefined && { standard_rate: rate }),
    ...(zone && { time_zone: zone }),
    ...((invoice || credit_note) && {
      number_prefixes: { ...(invoice && { invoice }), ...(credit_note && { credit_note }) },
    }),
  }
}
