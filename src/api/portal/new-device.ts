import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenSession } from '../../store/sessions.js'
import { sendNotice } from '../../usecases/people/notices.js'
import type { Service } from '../service.js'
import { visitorContext } from './contexts.js'
import type { Defer } from './deferred-work.js'
import { deviceCookie } from './device-cookie.js'

type SignedIn = { session: OpenSession; isByLink?: true | undefined; defer: Defer }

/** After a sign-in: marks the device as one of the person, and tells them by mail if it is new. */
export async function rememberDevice(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { session: { person }, isByLink, defer }: SignedIn,
): Promise<void> {
  const context = visitorContext(service, request, defer)
  const isNew = (await context.deviceOf(person.person_id)) === undefined
  if (isNew && !isByLink) sendNotice(context, person, 'new_device')
  reply.header('set-cookie', await deviceCookie(service, request.raw, person.person_id))
}
