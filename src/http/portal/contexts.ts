import type { FastifyRequest } from 'fastify'
import type { PersonContext, VisitorContext } from '../../portal-api/handlers.js'
import { baseUrl } from '../answer-read.js'
import { currentWindow, documentAddress } from '../document-links.js'
import { isLocal } from '../loopback.js'
import type { Service } from '../service.js'
import type { Afterwards } from './afterwards.js'
import { machineOf, ownAddress } from './machines.js'

/** What handlers have at hand: for somebody who is signed in, and for anyone else. */

function commonContext(service: Service, request: FastifyRequest) {
  const { db, files, forwarderName, portal, publicUrl } = service
  return { db, files, forwarderName, base: ownAddress(request.raw, publicUrl), sendMail: portal.sendMail }
}

export function visitorContext(service: Service, request: FastifyRequest, afterwards: Afterwards): VisitorContext {
  const { demoAccount, portal } = service
  return {
    ...commonContext(service, request),
    address: machineOf(request.raw),
    demoAccount: demoAccount !== undefined && isLocal(request.raw) ? demoAccount : undefined,
    provider: portal.provider && { name: portal.provider.name },
    // Null where it was not asked, or there is nobody.
    signedIn: request.signedIn ?? undefined,
    afterwards: (work) => afterwards(request, work),
  }
}

export function personContext(service: Service, request: FastifyRequest): PersonContext {
  const { session, token } = request.signedIn
  const { person, caller } = session
  const base = baseUrl(service, request)
  const window = currentWindow(Date.now() / 1000)
  return {
    ...commonContext(service, request),
    account: caller.account_id,
    session,
    person,
    caller,
    token,
    author: caller.key_id,
    signLink: (document) => base + documentAddress(caller.secrets.link_secret, document, window),
    today: todayOf(request),
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The day of whoever is signed in, as their clock tells it. */
export function todayOf({ signedIn }: FastifyRequest): string {
  const { time_zone: timeZone } = signedIn.session.person
  // To make one takes longer than all the rest of an answer that is remembered; there are some hundred zones.
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  clocks.set(timeZone, clock)
  return clock.format(new Date())
}
