import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PortalOperation } from '../../contract/portal/operation.js'
import { type PortalOperationName, portalOperationNames, portalOperations } from '../../contract/portal/operations.js'
import { mayInPortal, portalRights } from '../../contract/portal/rights.js'
import { Refusal } from '../../contract/refusals.js'
import { portalHandlers } from '../../portal-api/portal.js'
import type { AnswerMemory } from '../answer-memory.js'
import { inputReader, routeOf } from '../input.js'
import { acceptForms } from '../operator/bodies.js'
import type { RateLimiter } from '../rate-limit.js'
import type { Service } from '../service.js'
import { openAfterwards } from './afterwards.js'
import { type AnyPortalHandler, answerPortal } from './answer.js'
import type { Streams } from './event-stream.js'
import { findAnybody, findSignedIn, refuseForeignOrigin, refuseForgery, type SignedIn } from './signed-in.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation of the portal that needs somebody signed in, and where it tells whether anybody is. */
    signedIn: SignedIn
  }
}

type Surroundings = {
  memory: AnswerMemory
  /** How long a form is waited for while nothing of it comes. */
  silence: number
  limiter: RateLimiter | undefined
  streams: Streams
}

/** Operations x handlers -> routes, for the portal. */
export function registerPortalOperations(
  app: FastifyInstance,
  service: Service,
  { memory, silence, limiter, streams }: Surroundings,
): void {
  app.decorateRequest('signedIn', null as never)
  const shared = { memory, silence, streams, afterwards: openAfterwards(app) }

  // Before the body is read: a stranger's body is not worth parsing.
  function admit({ access, method, endsSession, tellsSession }: PortalOperation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'private, no-store')
      if (method !== 'GET') refuseForeignOrigin(request.raw, service.publicUrl)
      if (access === 'anyone' && !tellsSession) return
      const signedIn = await (tellsSession ? findAnybody : findSignedIn)(service, request.raw)
      if (!signedIn && tellsSession) return
      if (!signedIn) throw new Refusal('not_signed_in')
      request.signedIn = signedIn
      request.caller = signedIn.session.caller
      if (method !== 'GET') refuseForgery(request.raw, signedIn.token, service.publicUrl)
      if (signedIn.session.caller.isSuspended && !endsSession) throw new Refusal('account_suspended')
      if (limiter && !endsSession) reply.headers(limiter.count(request.caller.key_id))
      const { role } = signedIn.session.person
      if (access !== 'anyone' && !mayInPortal(role, access)) {
        const roles = portalRights[access].join(', ')
        throw new Refusal('insufficient_role', `The role \`${role}\` may not do this; these may: ${roles}.`)
      }
    }
  }

  function addRoutes(scope: FastifyInstance, accepts: PortalOperation['accepts']): void {
    for (const name of portalOperationNames) {
      const operation: PortalOperation = portalOperations[name]
      if (operation.accepts !== accepts) continue
      const handle = portalHandlers[name] as AnyPortalHandler
      scope.route({
        method: operation.method,
        url: routeOf(operation),
        config: {
          operation: name satisfies PortalOperationName,
          isEndless: operation.answers === 'events',
          takesNoBody: !operation.body,
        },
        onRequest: admit(operation),
        handler: answerPortal(service, { operation, handle, inputOf: inputReader(operation), ...shared }),
        // Files are compressed already, or have a length; events are sent as they come.
        ...(operation.answers && { compress: false }),
        // Its head alone would be waited for as long as the whole.
        ...(operation.answers === 'events' && { exposeHeadRoute: false }),
      })
    }
  }

  addRoutes(app, undefined)
  void app.register(async (scope) => {
    await acceptForms(scope)
    addRoutes(scope, 'form')
  })
}
