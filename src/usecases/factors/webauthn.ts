import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/portal/factors.js'
import type { PasskeyRow } from '../../store/passkeys.js'

/** Verification of passkeys. They are bound to the domain of the portal, and require that the authenticator verifies the user. */

// Loaded at the first use: the library takes some 100 ms.
const library = () => import('@simplewebauthn/server')

/** The domain that passkeys are for, and the only origin that may use them. */
export function relyingParty(base: string): { rp_id: string; origin: string } {
  const { hostname, origin } = new URL(base)
  return { rp_id: hostname, origin }
}

export function newChallenge(): string {
  return randomBytes(32).toString('base64url')
}

/** The challenge that a browser claims to have signed. Undefined if the data is malformed. */
export function challengeIn(client_data: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(client_data, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

export type VerifiedPasskey = { credential_id: string; public_key: Buffer; counter: number }

/** Undefined if the new passkey is not valid. */
export async function verifyNewPasskey(
  base: string,
  challenge: string,
  { id, client_data, attestation_object }: PasskeyAttestation,
): Promise<VerifiedPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { rp_id, origin } = relyingParty(base)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: client_data, attestationObject: attestation_object },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    const { credential } = registrationInfo
    return { credential_id: credential.id, public_key: Buffer.from(credential.publicKey), counter: credential.counter }
  } catch {
    return undefined
  }
}

/** The new counter of the passkey; undefined if the signature is not valid. */
export async function verifySignature(
  base: string,
  challenge: string,
  passkey: PasskeyRow,
  { id, client_data, authenticator_data, signature, user_handle }: PasskeyAssertion,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { rp_id, origin } = relyingParty(base)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client_data,
          authenticatorData: authenticator_data,
          signature,
          ...(user_handle !== undefined && { userHandle: user_handle }),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/** What an authenticator stores with a passkey: identifies the person, and says nothing about them. */
export function userHandleOf(person_id: string): string {
  return Buffer.from(person_id).toString('base64url')
}
