import { type Static, Type } from 'typebox'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf, patterned } from '../schema.js'

/** Second factors of a person: one-time codes (TOTP), passkeys (WebAuthn) and recovery codes. */

const encoded = (maxLength: number) =>
  patterned('^[A-Za-z0-9_-]+$', 'must be base64url', { minLength: 1, maxLength, description: 'base64url' })
const CredentialId = encoded(1400)
const Challenge = Type.String({ description: 'base64url. It can be used once, within 5 minutes.' })

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const Transports = Type.Array(oneOf(transports), { maxItems: transports.length })
export type PasskeyTransport = (typeof transports)[number]

const PasskeyName = Type.String({ minLength: 1, maxLength: 100 })

export const Passkey = named(
  'Passkey',
  { passkey_id: Identifier, name: Type.String(), created_at: DateWithTime },
  { last_used_at: DateWithTime },
)
export type Passkey = Static<typeof Passkey>

export const Factors = named(
  'Factors',
  {
    passkeys: Type.Array(Passkey),
    recovery_codes: Type.Integer({ minimum: 0, description: 'How many are left.' }),
    required: Type.Boolean({ description: 'Whether the account requires a second factor.' }),
  },
  { totp: closed({ created_at: DateWithTime }) },
)
export type Factors = Static<typeof Factors>

const RecoveryCodeList = Type.Array(Type.String(), { description: 'Shown only once; each works once.' })
export const RecoveryCodes = named('RecoveryCodes', { recovery_codes: RecoveryCodeList })
/** With recovery codes, if there were none. */
export const FactorAdded = named('FactorAdded', { factors: Factors }, { recovery_codes: RecoveryCodeList })
export type FactorAdded = Static<typeof FactorAdded>

export const TotpSecret = named('TotpSecret', {
  secret: Type.String({ description: 'base32, for typing it into an authenticator app.' }),
  uri: Type.String({ description: '`otpauth://` address, for a QR code.' }),
})

const TotpCode = patterned('^\\d{6}$', 'must be the six digits that the authenticator app shows')
export const TotpConfirmation = named('TotpConfirmation', { code: TotpCode })

export const PasskeyCreationOptions = named('PasskeyCreationOptions', {
  challenge: Challenge,
  rp_id: Type.String({ description: 'The domain that the passkey is for.' }),
  rp_name: Type.String(),
  user: closed({ id: Type.String({ description: 'base64url' }), name: Type.String(), display_name: Type.String() }),
  exclude: Type.Array(Type.String(), { description: 'The passkeys that the user already has.' }),
})
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>

export const PasskeyRequestOptions = named('PasskeyRequestOptions', {
  challenge: Challenge,
  rp_id: Type.String({ description: 'The domain that the passkey is for.' }),
  allow: Type.Array(closed({ id: Type.String(), transports: Type.Array(Type.String()) }), {
    description: 'The passkeys that are accepted; empty: any.',
  }),
})
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

/** A new passkey, as the browser returns it. */
export const PasskeyAttestation = named(
  'PasskeyAttestation',
  { id: CredentialId, client_data: encoded(4000), attestation_object: encoded(12_000) },
  { transports: Transports },
)
export type PasskeyAttestation = Static<typeof PasskeyAttestation>

/** A signature by a passkey, as the browser returns it. */
export const PasskeyAssertion = named(
  'PasskeyAssertion',
  { id: CredentialId, client_data: encoded(4000), authenticator_data: encoded(2000), signature: encoded(2000) },
  { user_handle: encoded(200) },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

export const PasskeyCreate = named('PasskeyCreate', { name: PasskeyName, passkey: PasskeyAttestation })
export const PasskeyUpdate = named('PasskeyUpdate', { name: PasskeyName })
export const PasskeySignIn = named('PasskeySignIn', { passkey: PasskeyAssertion })

export const secondFactorMethods = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactorMethod = (typeof secondFactorMethods)[number]

export const PendingSignIn = named('PendingSignIn', {
  methods: Type.Array(oneOf(secondFactorMethods), { description: 'The factors that the user has.' }),
})

const RecoveryCode = patterned(
  '^\\s*(?:[A-Za-z0-9]{4}[-\\s]?){3}[A-Za-z0-9]{4}\\s*$',
  'must be a recovery code, such as 2k7m-9qxw-4hbt-c6nv',
)
export const SecondFactor = named(
  'SecondFactor',
  {},
  { code: TotpCode, recovery_code: RecoveryCode, passkey: PasskeyAssertion },
)
export type SecondFactor = Static<typeof SecondFactor>

const signInRules = {
  second_factor_required: Type.Boolean({
    description: 'Whether users who sign in with a password need a second factor.',
  }),
  provider_only: Type.Boolean({
    description: "Whether users may sign in with the company's provider only. Other sessions end.",
  }),
}
export const AccountSecurity = named('AccountSecurity', signInRules)
export const AccountSecurityUpdate = named('AccountSecurityUpdate', {}, signInRules)
