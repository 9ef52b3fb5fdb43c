import { type Static, Type } from 'typebox'
import { Slug } from '../import-line.js'
import { DateWithTime, weightUnits } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf, patterned } from '../schema.js'
import { signInMethods } from './sessions.js'

/** The users of an account, and their sessions. */

export const personRoles = ['admin', 'member', 'viewer'] as const
export type PersonRole = (typeof personRoles)[number]

export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const Email = patterned('^[^@\\s]+@[^@\\s]+$', 'must be an e-mail address, such as kim@example.com', {
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address.',
})
export const PersonName = Type.String({ minLength: 1, maxLength: 200 })
// Length matters more than special characters (NIST SP 800-63B).
export const Password = Type.String({ minLength: 10, maxLength: 256 })

export const Person = named(
  'Person',
  {
    person_id: Identifier,
    email: Type.String(),
    name: Type.String(),
    role: oneOf(personRoles),
    status: oneOf(['active', 'invited', 'disabled'], {
      description: '`invited`: has not chosen a password yet. `disabled`: cannot sign in.',
    }),
    created_at: DateWithTime,
  },
  { last_seen_at: DateWithTime },
)
export type Person = Static<typeof Person>

export const Preferences = named('Preferences', {
  language: oneOf(languages),
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'A name of the IANA time zone database.' }),
  weight_unit: oneOf(weightUnits),
  theme: oneOf(themes),
})
export type Preferences = Static<typeof Preferences>

export const Session = named(
  'Session',
  {
    person: Person,
    preferences: Preferences,
    account: closed({ slug: Slug, name: Type.String() }),
    csrf_token: Type.String({ description: 'Send it as `X-CSRF-Token` with every write.' }),
    signed_in_with: oneOf(signInMethods),
    has_password: Type.Boolean(),
    enrolment_required: Type.Boolean({
      description: 'Whether the user must set up a second factor before anything else.',
    }),
    expires_at: DateWithTime,
  },
  {
    viewer: Type.String({
      description:
        "The name of the forwarder's employee who sees what the user sees. Every write is refused with `viewing_only`.",
    }),
  },
)
export type Session = Static<typeof Session>

export const SessionMaybe = named('SessionMaybe', {}, { session: Session })

const AccentColors = closed({ accent: Type.String(), strong: Type.String(), soft: Type.String(), on: Type.String() })

export const SignInOptions = named(
  'SignInOptions',
  {
    demo: Type.Boolean({ description: 'Whether one click signs in: in the sandbox, from the same machine.' }),
    forwarder_name: Type.String(),
    offers_tracking: Type.Boolean({ description: 'Whether shipments can be tracked without an account.' }),
    sends_mail: Type.Boolean({ description: 'False without a mail server: operators pass links on themselves.' }),
  },
  {
    provider: closed({ name: Type.String() }),
    colors: closed({ light: AccentColors, dark: AccentColors }),
    logo: Type.String({ description: 'A PNG, base64-encoded.' }),
    simulates_time: Type.Literal(true, {
      description: 'In the sandbox, whose clock can be moved (`/sandbox/v1/clock`).',
    }),
  },
)
export type SignInOptions = Static<typeof SignInOptions>

export const SignIn = named('SignIn', { email: Email, password: Type.String({ minLength: 1, maxLength: 256 }) })
export const PasswordResetRequest = named('PasswordResetRequest', { email: Email })
export const Accepted = named('Accepted', { accepted: Type.Literal(true) })

/** An e-mail link: an invitation or a password reset. */
export const PersonalLink = named('PersonalLink', {
  purpose: oneOf(['invitation', 'reset']),
  email: Type.String(),
  name: Type.String(),
  account_name: Type.String(),
})
export type PersonalLink = Static<typeof PersonalLink>
const LinkToken = patterned('^[\\w-]+$', 'must be the unmodified last part of the link', {
  minLength: 20,
  maxLength: 100,
})
export const ViewingToken = named('ViewingToken', { token: LinkToken })
export const LinkLookup = named('LinkLookup', { token: LinkToken })
export const PasswordChoice = named('PasswordChoice', { token: LinkToken, password: Password }, { name: PersonName })

export const PersonUpdate = named('PersonUpdate', {}, { name: PersonName, ...Preferences.properties })
export const PasswordChange = named(
  'PasswordChange',
  { password: Password },
  { current_password: Type.String({ minLength: 1, maxLength: 256 }) },
)

export const Invitation = named(
  'Invitation',
  { email: Email, name: PersonName, role: oneOf(personRoles) },
  { language: oneOf(languages) },
)
export const RoleUpdate = named('RoleUpdate', {}, { role: oneOf(personRoles), disabled: Type.Boolean() })
