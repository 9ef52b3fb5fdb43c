import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemTime } from '../../clock/clock.js'
import { interfaceOf, pagesOf, type Site } from '../../contract/portal/sites.js'
import { Refusal } from '../../contract/refusals.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { forwarderLog, recordAudit } from '../../store/audit.js'
import { decrypt, encrypt } from '../../store/encrypted-value.js'
import { bindProvider, type Credentials, findCredentials, findProviderPerson } from '../../store/people.js'
import { findSession } from '../../store/sessions.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { attemptsByAddress, limitAttempts } from '../../usecases/people/attempt-limits.js'
import { personActor } from '../../usecases/people/person-record.js'
import { recordReauthentication } from '../../usecases/people/reauthenticate.js'
import { startSession } from '../../usecases/people/session.js'
import type { Visitor } from '../../usecases/portal-context.js'
import { baseUrl } from '../public/response-headers.js'
import type { ProviderSettings, Service } from '../service.js'
import { networkOf } from '../transport/client-address.js'
import { handleError } from '../transport/problems.js'
import { queryIn } from '../transport/query-string.js'
import { clientOf } from './contexts.js'
import { type CookieName, cookieFor, readCookie } from './cookies.js'
import { deferredWork } from './deferred-work.js'
import { recordDevice } from './new-device.js'
import { oidcProvider, type ProviderIdentity, ProviderSignInFailed, type SignInChecks } from './oidc-provider.js'
import { findAuthenticatedSession, sessionCookie, siteAddress } from './session-cookie.js'

const cookies = {
  portal: 'waybill_provider',
  office: 'waybill_office_provider',
} as const satisfies Record<Site, CookieName>

// Time limit for the sign-in at the provider.
const maxSeconds = 600

/** The state of a sign-in, in an encrypted cookie. */
type PendingSignIn = SignInChecks & {
  to: string
  ends: number /** To prove again who the person is. */
  isAgain: boolean
}

/**
 * Sign-in with the company's OpenID Connect provider. The provider asserts a verified e-mail address; the person must already
 * exist here and is never created by a sign-in.
 */
export function registerProviderSignIn(
  app: FastifyInstance,
  service: Service,
  site: Site,
  settings: ProviderSettings,
): void {
  const { db } = service
  const address = siteAddress(service, site)
  const publicUrl = address.url
  const startPath = `${interfaceOf[site]}/provider`
  const callbackPath = `${startPath}/callback`
  const cookie = cookies[site]
  const errorHandler = redirectToSignIn(site)
  const provider = oidcProvider(settings)
  const defer = deferredWork(app)

  app.get<{ Querystring: { to?: unknown; again?: unknown } }>(startPath, { errorHandler }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const isAgain = request.query.again === 'true'
    const { url, checks } = await provider.begin(baseUrl({ publicUrl }, request.raw) + callbackPath, { isAgain })
    const pending: PendingSignIn = {
      ...checks,
      isAgain,
      to: localPath(site, request.query.to),
      ends: systemTime() / 1000 + maxSeconds,
    }
    const { link_secret } = await readServiceSecrets(db)
    reply.header(
      'set-cookie',
      cookieFor(request.raw, publicUrl, {
        name: cookie,
        value: encrypt(link_secret, 'browser', pending),
        seconds: maxSeconds,
      }),
    )
    return reply.redirect(url, 302)
  })

  app.get(callbackPath, { errorHandler }, async (request, reply) => {
    // The pending state can be used once, whether the sign-in succeeds or not.
    const expired = cookieFor(request.raw, publicUrl, { name: cookie, value: '', seconds: 0 })
    reply.header('cache-control', 'no-store').header('set-cookie', expired)
    const pending = await getPending(request)
    const callback = new URL(baseUrl({ publicUrl }, request.raw) + callbackPath)
    callback.search = queryIn(request.raw.url ?? '')
    const client = clientOf(service, request.raw)
    const attempts = attemptsByAddress('provider', networkOf(client.address))
    await limitAttempts(db, [attempts])
    const current = pending.isAgain ? await findAuthenticatedSession(db, address, request.raw) : undefined
    const action = current ? 'reauthentication_failed' : 'sign_in_failed'
    const person = await provider
      .finish(callback, pending)
      .then(async (identity) => {
        const found = await personOf(identity)
        if (pending.isAgain) refuseOldProof(identity, pending, found)
        if (current) refuseOtherPerson(current.session.person, found)
        return found
      })
      .catch(async (error: unknown) => {
        await recordFailure(error, action, client)
        throw error
      })
    await clearFailures(db, attempts)
    if (current) {
      const { account_id: account } = person
      const actor = personActor(person, { actor: '', address: client.address })
      await recordReauthentication(
        { db, account, person: current.session.person, token: current.token, actor },
        'provider',
      )
      return reply.redirect(pending.to, 302)
    }
    const { token } = await startSession(db, person.account_id, person.person_id, 'provider', client)
    reply.header('set-cookie', sessionCookie(request.raw, address, token))
    const session = await findSession(db, site, token)
    if (session) await recordDevice(service, request, reply, { site, session, defer })
    return reply.redirect(pending.to, 302)
  })

  /** Bound to the subject at the first sign-in: whoever gets the address later is somebody else. */
  async function personOf({ issuer, subject, email }: ProviderIdentity): Promise<Credentials> {
    const bound = await findProviderPerson(db, site, { issuer, subject })
    const person = bound ?? (await findCredentials(db, site, email))
    if (!person) {
      const details = { reason: 'unknown_address', email } as const
      throw new ProviderSignInFailed('no person has the e-mail address of the provider', details)
    }
    if (!bound && !(await bindProvider(db, person.account_id, person.person_id, { issuer, subject }))) {
      const details = { reason: 'other_subject', person } as const
      throw new ProviderSignInFailed('the person is bound to another subject of the provider', details)
    }
    if (person.isDisabled)
      throw new ProviderSignInFailed('the person is disabled', { reason: 'person_disabled', person })
    return person
  }

  /** In the log of the person's account, or else in that of the forwarder. That the provider is away is nobody's failure. */
  async function recordFailure(error: unknown, action: FailedAction, client: Visitor): Promise<void> {
    if (!(error instanceof ProviderSignInFailed) || error.details.isUnavailable) return
    const { reason = 'provider_refused', email, person } = error.details
    const visitor = { actor: 'visitor', address: client.address }
    const act = { kind: 'sign_in', action, details: { with: 'provider', reason, email } } as const
    if (person) await recordAudit(db, person.account_id, personActor(person, visitor), act)
    else await recordAudit(db, forwarderLog, visitor, act)
  }

  async function getPending(request: FastifyRequest): Promise<PendingSignIn> {
    const value = readCookie(request.raw, publicUrl, cookie)
    const { link_secret } = await readServiceSecrets(db)
    const pending =
      value === undefined ? undefined : (decrypt(link_secret, 'browser', value) as PendingSignIn | undefined)
    // Other values are encrypted with the same key: they have no end.
    if (!pending || !(pending.ends >= systemTime() / 1000))
      throw new ProviderSignInFailed('the sign-in was not started here, or has expired')
    return pending
  }
}

type FailedAction = 'sign_in_failed' | 'reauthentication_failed'

// The clock of the provider may differ.
const clockTolerance = 60

/** A provider that does not ask again says in the ID token when it asked last. */
function refuseOldProof({ authTime }: ProviderIdentity, { ends }: PendingSignIn, person: Credentials): void {
  const started = ends - maxSeconds
  if (authTime !== undefined && authTime < started - clockTolerance) {
    const details = { reason: 'not_signed_in_again', person } as const
    throw new ProviderSignInFailed('the provider did not ask the person to sign in again', details)
  }
}

function refuseOtherPerson({ person_id }: { person_id: string }, person: Credentials): void {
  if (person.person_id === person_id) return
  throw new ProviderSignInFailed('somebody else has signed in at the provider', { reason: 'other_person', person })
}

/** Redirects a failed sign-in to the sign-in page, which offers another way. */
const redirectToSignIn = (site: Site) => (error: Error, request: FastifyRequest, reply: FastifyReply) => {
  const isRefused =
    error instanceof ProviderSignInFailed ||
    (error instanceof Refusal && ['account_suspended', 'sign_in_slowed'].includes(error.code))
  if (!isRefused) return void handleError(error, request, reply)
  request.log.warn({ reason: error.message }, 'sign-in with the provider failed')
  const isUnavailable = error instanceof ProviderSignInFailed && error.details.isUnavailable
  void reply.redirect(`${pagesOf[site]}/sign-in?refused=${isUnavailable ? 'provider_away' : 'provider'}`, 302)
}

/** A path within the site: prevents open redirects. */
function localPath(site: Site, path: unknown): string {
  const base = 'http://portal.invalid'
  const first = pagesOf[site] || '/'
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, base)) return first
  const { origin, pathname, search, hash } = new URL(path, base)
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : first
}
