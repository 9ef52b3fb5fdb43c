import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals.js'
import { startSession } from '../../portal-api/session.js'
import { findCredentials } from '../../storage/people.js'
import { readServiceSecrets } from '../../storage/service.js'
import { baseUrl } from '../answer-read.js'
import { handleError } from '../problems.js'
import type { ProviderSettings, Service } from '../service.js'
import { companyProvider, type Drawn, NotVouched } from './company-provider.js'
import { cookieFor, readCookie } from './cookies.js'
import { seal, unseal } from './sealed.js'
import { sessionCookie } from './signed-in.js'

const start = '/portal/v1/provider'
const back = '/portal/v1/provider/callback'
const cookie = 'waybill_provider'

// Seconds that somebody may take to sign in elsewhere.
const longest = 600

/** What the browser keeps while somebody is elsewhere. */
type Begun = Drawn & { to: string; ends: number }

/**
 * Sign-in with the company's provider: there, and back. It tells who somebody is, by their e-mail address; whether they
 * belong to an account is ours to say, and nobody is created by it.
 */
export function registerProvider(app: FastifyInstance, service: Service, settings: ProviderSettings): void {
  const { db, publicUrl } = service
  const provider = companyProvider(settings)

  app.get<{ Querystring: { to?: unknown } }>(start, { errorHandler }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { address, drawn } = await provider.begin(baseUrl(service, request) + back)
    const begun: Begun = { ...drawn, to: localPath(request.query.to), ends: Date.now() / 1000 + longest }
    const { link_secret } = await readServiceSecrets(db)
    reply.header(
      'set-cookie',
      cookieFor(request.raw, publicUrl, { name: cookie, value: seal(link_secret, begun), seconds: longest }),
    )
    return reply.redirect(address, 302)
  })

  app.get(back, { errorHandler }, async (request, reply) => {
    // Whatever comes of it: it was good for once.
    const forgotten = cookieFor(request.raw, publicUrl, { name: cookie, value: '', seconds: 0 })
    reply.header('cache-control', 'no-store').header('set-cookie', forgotten)
    const begun = await findBegun(request)
    const returned = new URL(baseUrl(service, request) + back)
    returned.search = request.raw.url?.split('?')[1] ?? ''
    const { email } = await provider.finish(returned, begun)
    const person = await findCredentials(db, email)
    if (!person) throw new NotVouched('nobody here has the e-mail address that it told')
    if (person.isDisabled) throw new NotVouched('the person is disabled')
    const { token } = await startSession(db, person.account_id, person.person_id, 'provider')
    reply.header('set-cookie', sessionCookie(request.raw, publicUrl, token))
    return reply.redirect(begun.to, 302)
  })

  async function findBegun(request: FastifyRequest): Promise<Begun> {
    const kept = readCookie(request.raw, publicUrl, cookie)
    const { link_secret } = await readServiceSecrets(db)
    const begun = kept === undefined ? undefined : (unseal(link_secret, kept) as Begun | undefined)
    if (!begun || begun.ends < Date.now() / 1000) throw new NotVouched('it was not begun here, or too long ago')
    return begun
  }
}

/** Somebody who is not signed in by the provider is sent to where they can try again, or otherwise. */
function errorHandler(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const isRefused = error instanceof NotVouched || (error instanceof Refusal && error.code === 'account_suspended')
  if (!isRefused) return void handleError(error, request, reply)
  request.log.warn({ reason: error.message }, 'the provider did not sign somebody in')
  const isAway = error instanceof NotVouched && error.isAway
  void reply.redirect(`/sign-in?refused=${isAway ? 'provider_away' : 'provider'}`, 302)
}

/** A place in the portal, never elsewhere: an address that somebody else wrote must not lead away from here. */
function localPath(wanted: unknown): string {
  const here = 'http://portal.invalid'
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, here)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : '/'
}
