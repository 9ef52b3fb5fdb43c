import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import type { ProviderSettings } from '../../src/api/service.js'

/** The user at the provider; undefined: the user denies the request. */
export type Somebody = { sub?: string; email?: string; email_verified?: boolean } | undefined

export type RunningProvider = {
  settings: ProviderSettings
  /** Registers the service as a client. */
  trust(baseUrl: string): void
  /** The next user to sign in. */
  somebody: Somebody
  /** When the user has signed in, in seconds; undefined: now. */
  signedInAt: number | undefined
  stop(): Promise<void>
  start(): Promise<void>
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwks = { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] }

type ProviderOptions = {
  emailIn: 'ID token' | 'userinfo'
  /** When it stops; `afterAll` for all tests of a file. */
  until?: (stop: () => Promise<void>) => void
}

/** A real OpenID Connect provider, which signs in the current user without a form. */
export async function startProvider({ emailIn, until = onTestFinished }: ProviderOptions): Promise<RunningProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => handle(request, response))
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  until(stop)
  const { port } = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${port}`
  const settings = { issuer, clientId: 'waybill', clientSecret: 'a secret: with + and %', name: 'Northwind ID' }

  const running: RunningProvider = {
    settings,
    somebody: undefined,
    signedInAt: undefined,
    stop,
    start: () => listen(port),
    trust(baseUrl) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: settings.clientId,
            client_secret: settings.clientSecret,
            redirect_uris: ['portal', 'office'].map((site) => `${baseUrl}/${site}/v1/provider/callback`),
          },
        ],
        jwks,
        cookies: { keys: ['a key for tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        conformIdTokenClaims: emailIn === 'userinfo',
        ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({ email_verified: true, ...running.somebody, sub: id }),
        }),
        async loadExistingGrant({ oidc: { provider: at, client, session } }) {
          const grant = new at.Grant({ clientId: client.clientId, accountId: session.accountId })
          grant.addOIDCScope('openid email')
          await grant.save()
          return grant
        },
      })
      const callback = provider.callback()
      handle = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return callback(request, response)
        const result = running.somebody
          ? {
              login: {
                accountId: running.somebody.sub ?? running.somebody.email?.toLowerCase() ?? 'somebody',
                ...(running.signedInAt !== undefined && { ts: running.signedInAt }),
              },
            }
          : { error: 'access_denied' }
        return void provider.interactionFinished(request, response, result)
      }
    },
  }
  return running
}

/** Follows redirects one at a time, and stores cookies by host. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()

  async get(address: string): Promise<Response> {
    const { origin } = new URL(address)
    const kept = this.cookiesOf(origin)
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(text)) kept.delete(name)
      else kept.set(name, value)
    }
    return response
  }

  cookiesOf(address: string): Map<string, string> {
    const { origin } = new URL(address)
    const kept = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, kept)
    return kept
  }

  /** Follows redirects within the host of an address; returns the first address of another host. */
  async leave(address: string): Promise<string> {
    const { origin } = new URL(address)
    for (let next = address; ; ) {
      const response = await this.get(next)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${next} does not redirect: ${response.status} ${await response.text()}`)
      next = new URL(location, next).href
      if (new URL(next).origin !== origin) return next
    }
  }
}
