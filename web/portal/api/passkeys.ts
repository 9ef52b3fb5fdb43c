import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeyTransport,
} from '../../../src/contract/portal/factors.js'

/** Passkeys of this browser. */

// Loaded with the first use of a passkey.
const library = () => import('@simplewebauthn/browser')

/** Browsers have passkeys for names only, not for IP addresses. */
export function hasPasskeys(): boolean {
  return window.PublicKeyCredential !== undefined && !/^[\d.]+$|:/.test(window.location.hostname)
}

export async function createPasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const { startRegistration } = await library()
  const { challenge, rp_id, rp_name, user, exclude } = options
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge,
      rp: { id: rp_id, name: rp_name },
      user: { id: user.id, name: user.name, displayName: user.display_name },
      // ES256, EdDSA and RS256.
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: exclude.map((known) => ({ id: known, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  })
  return {
    id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
    transports: (response.transports ?? []) as PasskeyTransport[],
  }
}

export async function signWithPasskey({ challenge, rp_id, allow }: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await library()
  const { id, response } = await startAuthentication({
    optionsJSON: {
      challenge,
      rpId: rp_id,
      userVerification: 'required',
      allowCredentials: allow.map((known) => ({
        id: known.id,
        type: 'public-key',
        transports: known.transports as PasskeyTransport[],
      })),
    },
  })
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle !== undefined && { user_handle: response.userHandle }),
  }
}
