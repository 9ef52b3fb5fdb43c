import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Site } from '../../contract/portal/sites.js'
import type { OpenSession } from '../../store/sessions.js'
import { sendNotice } from '../../usecases/people/notices.js'
import type { Service } from '../service.js'
import { visitorContext } from './contexts.js'
import type { Defer } from './deferred-work.js'
import { deviceCookie } from './device-cookie.js'
import { siteAddress } from './session-cookie.js'

type SignedIn = { site: Site; session: OpenSession; isByLink?: true | undefined; defer: Defer }

/** After a sign-in: marks the device as one of the person, and notifies them by mail if it is new. */
export async function recordDevice(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { site, session: { person }, isByLink, defer }: SignedIn,
): Promise<void> {
  const context = visitorContext(service, site, request, defer)
  const isNew = (await context.deviceOf(person.person_id)) === undefined
  if (isNew && !isByLink) sendNotice(context, person, 'new_device')
  reply.header(
    'set-cookie',
    await deviceCookie(service.db, siteAddress(service, site).url, request.raw, person.person_id),
  )
}
