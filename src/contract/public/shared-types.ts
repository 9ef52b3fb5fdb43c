import { type Static, Type } from 'typebox'
import { named, oneOf, patterned } from '../schema.js'

/** Interface 2.1: types that several resources share. */

export const DateWithTime = Type.String({
  format: 'date-time',
  description: 'Date and time with UTC offset (RFC 3339), in the local time of the place it happened in.',
})
export type DateWithTime = Static<typeof DateWithTime>

export const SimpleDate = Type.String({ format: 'date', description: 'Calendar date, `YYYY-MM-DD`.' })
export type SimpleDate = Static<typeof SimpleDate>

export const weightUnits = ['kg', 'lbs'] as const
export const Weight = named('Weight', { value: Type.Number(), unit: oneOf(weightUnits) })
export type Weight = Static<typeof Weight>

export const volumeUnits = ['cbm'] as const
// Interface 2.1: the unit of a Volume is a string, in practice always cbm.
export const Volume = named('Volume', { value: Type.Number(), unit: Type.String({ examples: ['cbm'] }) })
export type Volume = Static<typeof Volume>

export const Size = named('Size', { value: Type.Number(), unit: oneOf(['cm', 'in']) })
export type Size = Static<typeof Size>

export const currencies = [
  'AED',
  'AUD',
  'BHD',
  'BRL',
  'CAD',
  'CHF',
  'CNY',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'IDR',
  'INR',
  'JPY',
  'MXN',
  'KRW',
  'KWD',
  'MYR',
  'NOK',
  'NZD',
  'PLN',
  'SEK',
  'SGD',
  'THB',
  'TND',
  'TWD',
  'USD',
  'XOF',
  'XPF',
  'ZAR',
] as const
export type Currency = (typeof currencies)[number]

export const Price = named('Price', { amount: Type.Number(), currency: oneOf(currencies) })
export type Price = Static<typeof Price>

export const trackingDateStatuses = ['estimated', 'actual', 'planned', 'problem'] as const
export type TrackingDateStatus = (typeof trackingDateStatuses)[number]

export const TrackingDate = named('TrackingDate', { date: DateWithTime, status: oneOf(trackingDateStatuses) })
export type TrackingDate = Static<typeof TrackingDate>

export const CustomParameter = named('CustomParameter', { name: Type.String(), value: Type.String() })
export type CustomParameter = Static<typeof CustomParameter>

export const packagingTypes = ['pallet', 'package', 'rigid_crate'] as const

export const PortCode = patterned(
  '^[A-Z]{2}/[A-Z0-9]{3}$',
  'must have the form CN/SHA: country, slash, three letters or digits, in capitals',
  { description: 'UN/LOCODE written as country code, slash, place code.', examples: ['CN/SHA'] },
)

export const asOf = {
  as_of: Object.assign({ ...DateWithTime }, { description: 'Return what was known at this time.' }),
}
