import { type Static, Type } from 'typebox'
import { described, explained, Identifier, named, oneOf, patterned } from '../schema.js'

/** Interface 2.1: types that several resources share. */

export const DateWithTime = Type.String({
  format: 'date-time',
  description: 'Date and time with UTC offset (RFC 3339), in the local time of the place it happened in.',
})
export type DateWithTime = Static<typeof DateWithTime>

export const SimpleDate = Type.String({ format: 'date', description: 'Calendar date, `YYYY-MM-DD`.' })
export type SimpleDate = Static<typeof SimpleDate>

export const ShipmentId = described(Identifier, 'The identifier of a shipment, which the forwarder has given it.')
export const OrderNumber = described(Identifier, 'The `po_number` of the order, percent-encoded: `/` as `%2F`.')
export const ContainerNumber = Type.String({
  description: 'The number painted on the container (ISO 6346: four letters and seven digits), as it was given.',
})
export const Sku = described(Identifier, "The account's own code of the product (stock keeping unit).")

/** A date and time with the meaning that it has in one place. */
export const timeOf = (meaning: string) => described(DateWithTime, `${meaning} RFC 3339, with UTC offset.`)
/** A day with the meaning that it has in one place. */
export const dayOf = (meaning: string) => described(SimpleDate, `${meaning} \`YYYY-MM-DD\`.`)

export const weightUnits = ['kg', 'lbs'] as const
export const WeightUnit = explained(weightUnits, 'In which the weight is given.', { kg: 'Kilograms.', lbs: 'Pounds.' })
export const Weight = named('Weight', {
  value: Type.Number({ description: 'In the unit beside it.' }),
  unit: WeightUnit,
})
export type Weight = Static<typeof Weight>

export const volumeUnits = ['cbm'] as const
// Interface 2.1: the unit of a Volume is a string, in practice always cbm.
export const Volume = named('Volume', {
  value: Type.Number({ description: 'In the unit beside it.' }),
  unit: Type.String({ description: 'Always `cbm`, cubic metres, in practice.', examples: ['cbm'] }),
})
export type Volume = Static<typeof Volume>

export const VolumeUnit = explained(volumeUnits, 'In which the volume is given.', { cbm: 'Cubic metres.' })

export const Size = named('Size', {
  value: Type.Number({ description: 'In the unit beside it.' }),
  unit: explained(['cm', 'in'], 'In which the length is given.', { cm: 'Centimetres.', in: 'Inches.' }),
})
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

export const Currency = oneOf(currencies, { description: 'ISO 4217 code of the currency.' })
export const Price = named('Price', {
  amount: Type.Number({ description: 'In whole units of the currency, with decimals: 12.5 is twelve and a half.' }),
  currency: Currency,
})
export type Price = Static<typeof Price>

export const trackingDateStatuses = ['estimated', 'actual', 'planned', 'problem'] as const
export type TrackingDateStatus = (typeof trackingDateStatuses)[number]

export const DateStatus = explained(trackingDateStatuses, 'How far the date can be relied on.', {
  estimated: 'Expected, by what is known now.',
  actual: 'It has happened.',
  planned: 'As planned or booked; nothing newer was reported.',
  problem: 'Expected, while something stands in the way, such as a hold, a rollover or a failed delivery.',
})
export const TrackingDate = named('TrackingDate', {
  date: timeOf('When it happened or is expected, in the local time of the place.'),
  status: DateStatus,
})
export type TrackingDate = Static<typeof TrackingDate>

export const CustomParameter = named('CustomParameter', {
  name: Type.String({ description: 'Chosen by the account, such as `season`.' }),
  value: Type.String({ description: 'Any text. The service stores it and makes nothing of it.' }),
})
export type CustomParameter = Static<typeof CustomParameter>

export const packagingTypes = ['pallet', 'package', 'rigid_crate'] as const
export const PackagingType = explained(packagingTypes, 'What the goods are packed in.', {
  pallet: 'Goods on a pallet.',
  package: 'A carton, bag or other package.',
  rigid_crate: 'A crate of wood, metal or hard plastic.',
})

export const PortCode = patterned(
  '^[A-Z]{2}/[A-Z0-9]{3}$',
  'must have the form CN/SHA: country, slash, three letters or digits, in capitals',
  { description: 'UN/LOCODE written as country code, slash, place code.', examples: ['CN/SHA'] },
)

export const asOf = {
  as_of: described(DateWithTime, 'Return what was known at this time. What is known now if it is omitted.'),
}
