import { type Static, type TSchema, Type } from 'typebox'
import { closed, described, named, patterned } from '../schema.js'

/** Interface 2.3. */

function locationWith<Code extends TSchema>(code: Code) {
  return closed(
    {
      id: Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'An integer here; a `Route` names the same location by a string.',
      }),
    },
    {
      company_name: Type.String({ description: 'Whose premises they are.' }),
      name: Type.String({ description: 'By which the account knows the place.' }),
      address: Type.String({ description: 'Street and number.' }),
      city: Type.String({ description: 'Town or city.' }),
      zip_code: described(
        code,
        'Postal code. The interface has an integer: absent if it is none, or begins with a zero.',
      ),
      country: patterned('^[A-Za-z]{2}$', 'must be a two-letter country code, such as CN', {
        description: 'Two-letter country code.',
      }),
      contacts: Type.Array(
        closed(
          {},
          {
            name: Type.String({ description: 'Whom to ask for.' }),
            email: Type.String({ description: 'E-mail address.' }),
            phone: described(
              code,
              'Telephone number. The interface has an integer: absent if it is none, or begins with a zero.',
            ),
          },
        ),
        { description: 'People at the place.' },
      ),
      opening_hours: Type.String({ description: 'When goods are handed over and accepted, in words.' }),
      requires_appointment: Type.Boolean({
        description: 'Whether appointments are required for loading and unloading.',
      }),
      requires_tailgate_truck: Type.Boolean({ description: 'Whether trucks need a tail lift.' }),
      additional_information: Type.String({ description: 'What drivers need to know, in words.' }),
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
export const OwnLocationRecord = named('LocationRecord', LocationRecord.properties, {
  retired: Type.Boolean({ description: 'Whether it is no longer listed. It can still be read by its identifier.' }),
})
export type OwnLocationRecord = Static<typeof OwnLocationRecord>
