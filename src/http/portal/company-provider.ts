import type { ClientAuth, Configuration } from 'openid-client'
import type { ProviderSettings } from '../service.js'

/** The company's OpenID Connect provider, as it is asked. */

/** What was drawn for one sign-in: the answer to another one does not fit. */
export type Drawn = { state: string; nonce: string; verifier: string }

/** Who somebody is, as the provider says. */
export type Vouched = { email: string }

/** The provider did not say who somebody is, or could not even be asked: the message tells why. */
export class NotVouched extends Error {
  readonly isAway: boolean

  constructor(reason: string, { isAway = false } = {}) {
    super(reason)
    this.name = 'NotVouched'
    this.isAway = isAway
  }
}

export type CompanyProvider = {
  /** Where somebody is sent to sign in, and what their return is judged by. */
  begin(redirectUri: string): Promise<{ address: string; drawn: Drawn }>
  /** Who has returned, to the address with what the provider added to it. */
  finish(returned: URL, drawn: Drawn): Promise<Vouched>
}

// Seconds: a sign-in is worth no longer wait.
const timeout = 5

// Loaded when somebody signs in with it.
const openId = () => import('openid-client')

export function companyProvider(settings: ProviderSettings): CompanyProvider {
  let known: Promise<Configuration> | undefined

  // Asked for when it is needed, not at the start: while it is away the service serves, and it is asked again next time.
  async function discover(): Promise<Configuration> {
    known ??= discovered(settings)
    try {
      return await known
    } catch (error) {
      known = undefined
      throw new NotVouched(reasonOf(error), { isAway: true })
    }
  }

  return {
    begin: (redirectUri) =>
      told(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
          await openId()
        const provider = await discover()
        const drawn = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
        const address = buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state: drawn.state,
          nonce: drawn.nonce,
          code_challenge: await calculatePKCECodeChallenge(drawn.verifier),
          code_challenge_method: 'S256',
        })
        return { address: address.href, drawn }
      }),

    finish: (returned, { state, nonce, verifier }) =>
      told(async () => {
        const { authorizationCodeGrant } = await openId()
        const provider = await discover()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
        const tokens = await authorizationCodeGrant(provider, returned, checks)
        return { email: await emailOf(provider, tokens) }
      }),
  }
}

/** Rejects, with the reason, where nobody could sign in with it: it does not answer, or is somebody else. */
export async function checkProvider(settings: ProviderSettings): Promise<void> {
  try {
    await discovered(settings)
  } catch (error) {
    throw new NotVouched(reasonOf(error), { isAway: true })
  }
}

async function discovered({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, discovery, enableNonRepudiationChecks } =
    await openId()
  // As the standard has it, unless the provider takes the other way alone.
  const authenticate: ClientAuth = (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = ways.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    way(clientSecret)(server, client, body, headers)
  }
  const address = new URL(issuer)
  // Settings allow for one without TLS on this machine alone.
  const execute = [enableNonRepudiationChecks, ...(address.protocol === 'http:' ? [allowInsecureRequests] : [])]
  return discovery(address, clientId, undefined, authenticate, { execute, timeout })
}

type Claims = { sub: string; email?: unknown; email_verified?: unknown }
type Tokens = { access_token: string; claims(): Claims | undefined }

/** In the ID token, or where else the provider tells it. */
async function emailOf(provider: Configuration, tokens: Tokens): Promise<string> {
  const { fetchUserInfo } = await openId()
  const identity = tokens.claims()
  if (!identity) throw new NotVouched('it sent no ID token')
  const mayAsk = identity.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
  const { email, email_verified }: Claims = mayAsk
    ? { ...(await fetchUserInfo(provider, tokens.access_token, identity.sub)) }
    : identity
  if (typeof email !== 'string') throw new NotVouched('it does not tell an e-mail address')
  // Some providers write it as text.
  if (String(email_verified) === 'false') throw new NotVouched('it has not verified the e-mail address')
  return email
}

async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotVouched) throw error
    throw new NotVouched(reasonOf(error))
  }
}

// What the errors carry beside their messages may be codes and tokens.
function reasonOf(error: unknown): string {
  const { message, error: code, cause } = error as Error & { error?: unknown }
  const inner = cause instanceof Error ? `: ${cause.message}` : ''
  return `${message}${typeof code === 'string' ? ` (${code})` : ''}${inner}`
}
