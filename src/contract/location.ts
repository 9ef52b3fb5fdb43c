import { type Static, type TSchema, Type } from 'typebox'
import { closed, named } from './schema.js'

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
      country: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two-letter country code.' }),
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

// The interface types postal codes and telephone numbers as integers; the world does not. What comes in is
// kept as it is, and shown when it is an integer.
export const LocationRecord = locationWith(Type.Union([Type.Number(), Type.String()]))
export type LocationRecord = Static<typeof LocationRecord>

/** A location of the account itself: one that is retired is found by its identifier, but no longer listed. */
export const OwnLocationRecord = named('LocationRecord', LocationRecord.properties, { retired: Type.Boolean() })
export type OwnLocationRecord = Static<typeof OwnLocationRecord>
