import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { businessTime, systemTime } from '../../clock/clock.js'
import type { Site } from '../../contract/portal/sites.js'
import type { Actor } from '../../store/audit.js'
import type { PersonContext, Visitor, VisitorContext } from '../../usecases/portal-context.js'
import { currentWindow, documentLinkPath } from '../documents/document-links.js'
import { baseUrl } from '../public/response-headers.js'
import type { Service } from '../service.js'
import { clientAddress, networkOf, trustedBaseUrl } from '../transport/client-address.js'
import { isLocal } from '../transport/loopback.js'
import type { Defer } from './deferred-work.js'
import { findDevice } from './device-cookie.js'
import { readPendingToken, siteAddress } from './session-cookie.js'

/** Contexts of portal handlers: for a signed-in person, and for visitors. */

function commonContext(service: Service, site: Site, request: FastifyRequest, defer: Defer) {
  const { db, files, forwarderName, quotas = {}, portal } = service
  return {
    db,
    site,
    files,
    forwarderName,
    quotas,
    base: trustedBaseUrl(request.raw, siteAddress(service, site).url),
    sendMail: portal.sendMail,
    sendsMail: portal.sendsMail ?? true,
    offersTracking: portal.offersTracking ?? false,
    provider: portal.provider && { name: portal.provider.name },
    client: clientOf(service, request.raw),
    defer: (work: () => Promise<void>) => defer(request, work),
  }
}

/** The address and device of a request, as sessions show them. */
export function clientOf({ trustedProxies }: Service, request: IncomingMessage): Visitor {
  return { address: clientAddress(request, trustedProxies), userAgent: request.headers['user-agent'] }
}

export function visitorContext(service: Service, site: Site, request: FastifyRequest, defer: Defer): VisitorContext {
  const { demoAccount, trustedProxies, world } = service
  const isDemo = demoAccount !== undefined && isLocal(request.raw)
  const address = clientAddress(request.raw, trustedProxies)
  return {
    ...commonContext(service, site, request, defer),
    deviceOf: (person_id) => findDevice(service.db, siteAddress(service, site).url, request.raw, person_id),
    address: networkOf(address),
    visitor: { actor: 'visitor', address },
    demoAccount: isDemo ? demoAccount : undefined,
    simulatesTime: isDemo && world !== undefined,
    pendingToken: readPendingToken(request.raw, siteAddress(service, site)),
    // Null unless the operation looks up the session and there is one.
    authenticated: request.authenticated ?? undefined,
    supplierLink: request.supplierLink ?? undefined,
    sharedLink: request.sharedLink ?? undefined,
    calendar: request.calendar ?? undefined,
  }
}

export function personContext(service: Service, site: Site, request: FastifyRequest, defer: Defer): PersonContext {
  const { session, token } = request.authenticated
  const { person, caller } = session
  const base = baseUrl(service, request.raw)
  const window = currentWindow(systemTime() / 1000)
  return {
    ...commonContext(service, site, request, defer),
    account: caller.account_id,
    session,
    person,
    caller,
    token,
    author: caller.key_id,
    actor: requestActor(service, request),
    signLink: (document) => base + documentLinkPath(caller.secrets.link_secret, document, window),
    today: todayOf(request),
  }
}

export function requestActor({ trustedProxies }: Service, request: FastifyRequest): Actor {
  const { person, caller, viewer } = request.authenticated.session
  return {
    actor: caller.key_id,
    actor_name: viewer?.name ?? person.name,
    address: clientAddress(request.raw, trustedProxies),
  }
}

// A few hundred time zones exist. Stored names may be spelled in more ways, if they are from before names were canonical.
const maxFormats = 500
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** The current date in the time zone of the signed-in person. */
export function todayOf({ authenticated }: FastifyRequest): string {
  const { time_zone: timeZone } = authenticated.session.person
  return dateFormatOf(timeZone).format(new Date(businessTime()))
}

// Creating a format costs more than the rest of a cached response, and 23 KB.
function dateFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = dateFormats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  if (dateFormats.size >= maxFormats) dateFormats.clear()
  dateFormats.set(timeZone, format)
  return format
}
