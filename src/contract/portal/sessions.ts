import { type Static, Type } from 'typebox'
import { DateWithTime } from '../public/shared-types.js'
import { Identifier, named, oneOf } from '../schema.js'

/** The sessions of a person, as they see them, and proof that the person is still the same. */

export const signInMethods = ['password', 'provider', 'demo', 'passkey', 'viewing'] as const

export const ListedSession = named(
  'ListedSession',
  {
    session_id: Identifier,
    address: Type.String({ description: 'The IP address of the sign-in; empty if it is not known.' }),
    signed_in_with: oneOf(signInMethods),
    signed_in_at: DateWithTime,
    last_seen_at: DateWithTime,
    expires_at: DateWithTime,
    is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  {
    browser: Type.String({ description: 'Such as `Firefox`, from the `User-Agent` header of the sign-in.' }),
    system: Type.String({ description: 'Such as `Windows`, from the same header.' }),
    viewer: Type.String({ description: "The name of the forwarder's employee, if it is read-only (`viewing`)." }),
  },
)
export type ListedSession = Static<typeof ListedSession>

export const Reauthentication = named('Reauthentication', { password: Type.String({ minLength: 1, maxLength: 256 }) })
