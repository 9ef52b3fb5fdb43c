import { type Static, type TSchema, Type } from 'typebox'
import { closed, named, patterned } from '../schema.js'

/** Interface 2.3. */

function locationWith<Code extends TSchema>(code: Code) {
  return closed(
    { id: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }) },
    {
      company_name: Type.String(),
      name: Type.String(),
      address: Type.String(),
      city: Type.String(),
      zip_code: code,
      country: patterned('^[A-Za-z]{2}$', 'must be a two-letter country code, such as CN', {
        description: 'Two-letter country code.',
      }),
      contacts: Type.Array(closed({}, { name: Type.String(), email: Type.String(), phone: code })),
      opening_hours: Type.String(),
      requires_appointment: Type.Boolean({
        description: 'Whether appointments are required for loading and unloading.',
      }),
      requires_tailgate_truck: Type.Boolean({ description: 'Whether liftgate trucks are required.' }),
      additional_information: Type.String(),
    },
  )
}

export const Location = Object.assign(locationWith(Type.Integer()), { title: 'Location' })
export type Location = Static<typeof Location>

// The interface types postal codes and telephone numbers as integers, which not all are. They are stored as given, and
// returned if they are integers.
export const LocationRecord = locationWith(Type.Union([Type.Number(), Type.String()]))
export type LocationRecord = Static<typeof LocationRecord>

/** A saved location of the account. A retired one can be read by its identifier, but is not listed. */
export const OwnLocationRecord = named('LocationRecord', LocationRecord.properties, { retired: Type.Boolean() })
export type OwnLocationRecord = Static<typeof OwnLocationRecord>
