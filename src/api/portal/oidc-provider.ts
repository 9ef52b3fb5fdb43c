import type { ClientAuth, Configuration } from 'openid-client'
import type { AccountId } from '../../database/account-id.js'
import type { ProviderSettings } from '../service.js'

/** The client of the company's OpenID Connect provider. */

/** Random values of one sign-in, which its callback must match. */
export type SignInChecks = { state: string; nonce: string; verifier: string }

/** The identity that the provider asserts. */
export type ProviderIdentity = {
  issuer: string
  /** Identifies the person at the provider for ever; their address may change. */
  subject: string
  /** Verified by the provider. */
  email: string
  /** When the person last signed in at the provider, in seconds, if it says so. */
  authTime: number | undefined
}

/** What the audit log says about a failed sign-in. */
type FailureDetails = {
  isUnavailable?: boolean
  reason?:
    | 'provider_refused'
    | 'address_not_verified'
    | 'unknown_address'
    | 'other_subject'
    | 'person_disabled'
    | 'not_signed_in_again'
    | 'other_person'
  email?: string
  /** Whose sign-in it was, if that is known. */
  person?: { account_id: AccountId; person_id: string; name: string }
}

/** Sign-in with the provider failed, or the provider is unavailable; the message gives the reason. */
export class ProviderSignInFailed extends Error {
  readonly details: FailureDetails

  constructor(message: string, details: FailureDetails = {}) {
    super(message)
    this.name = 'ProviderSignInFailed'
    this.details = details
  }
}

export type OidcProvider = {
  /** The authorization URL, and the checks for the callback. `isAgain`: the provider must ask, even if it knows the person. */
  begin(redirectUri: string, options: { isAgain: boolean }): Promise<{ url: string; checks: SignInChecks }>
  /** Exchanges the code of the callback URL for the identity. */
  finish(callback: URL, checks: SignInChecks): Promise<ProviderIdentity>
}

// In seconds.
const timeout = 5

// Loaded on the first sign-in.
const openId = () => import('openid-client')

export function oidcProvider(settings: ProviderSettings): OidcProvider {
  let configuration: Promise<Configuration> | undefined

  // Lazy, so that the service starts without the provider; a failed discovery is retried at the next sign-in.
  async function discover(): Promise<Configuration> {
    configuration ??= fetchConfiguration(settings)
    try {
      return await configuration
    } catch (error) {
      configuration = undefined
      throw new ProviderSignInFailed(reasonOf(error), { isUnavailable: true })
    }
  }

  return {
    begin: (redirectUri, { isAgain }) =>
      wrapErrors(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
          await openId()
        const provider = await discover()
        const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
        const url = buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          ...(isAgain && { prompt: 'login', max_age: '0' }),
        })
        return { url: url.href, checks }
      }),

    finish: (callback, { state, nonce, verifier }) =>
      wrapErrors(async () => {
        const { authorizationCodeGrant } = await openId()
        const provider = await discover()
        const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await authorizationCodeGrant(provider, callback, expected)
        return identityOf(provider, tokens)
      }),
  }
}

/** Rejects with the reason if the provider is unavailable or has another issuer. */
export async function checkProvider(settings: ProviderSettings): Promise<void> {
  try {
    await fetchConfiguration(settings)
  } catch (error) {
    throw new ProviderSignInFailed(reasonOf(error), { isUnavailable: true })
  }
}

async function fetchConfiguration({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, discovery, enableNonRepudiationChecks } =
    await openId()
  // client_secret_basic is the default of the standard; some providers support only client_secret_post.
  const authenticate: ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const method = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    method(clientSecret)(server, client, body, headers)
  }
  const address = new URL(issuer)
  // The settings allow http only on this machine.
  const execute = [enableNonRepudiationChecks, ...(address.protocol === 'http:' ? [allowInsecureRequests] : [])]
  return discovery(address, clientId, undefined, authenticate, { execute, timeout })
}

type Claims = { sub: string; email?: unknown; email_verified?: unknown; auth_time?: unknown }
type Tokens = { access_token: string; claims(): Claims | undefined }

/** The identity of the ID token, with the e-mail address of it or of the userinfo endpoint. */
async function identityOf(provider: Configuration, tokens: Tokens): Promise<ProviderIdentity> {
  const { fetchUserInfo } = await openId()
  const identity = tokens.claims()
  if (!identity) throw new ProviderSignInFailed('the provider sent no ID token')
  const useUserInfo = identity.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
  const { email, email_verified }: Claims = useUserInfo
    ? { ...(await fetchUserInfo(provider, tokens.access_token, identity.sub)) }
    : identity
  if (typeof email !== 'string') throw new ProviderSignInFailed('the provider sent no e-mail address')
  // Some providers send it as a string.
  if (String(email_verified) !== 'true')
    throw new ProviderSignInFailed('the provider has not verified the e-mail address', {
      reason: 'address_not_verified',
      email,
    })
  const authTime = typeof identity.auth_time === 'number' ? identity.auth_time : undefined
  return { issuer: provider.serverMetadata().issuer, subject: identity.sub, email, authTime }
}

async function wrapErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderSignInFailed) throw error
    throw new ProviderSignInFailed(reasonOf(error))
  }
}

// Only messages and error codes: other properties of these errors may contain tokens.
function reasonOf(error: unknown): string {
  const { message, error: code, cause } = error as Error & { error?: unknown }
  const inner = cause instanceof Error ? `: ${cause.message}` : ''
  return `${message}${typeof code === 'string' ? ` (${code})` : ''}${inner}`
}
