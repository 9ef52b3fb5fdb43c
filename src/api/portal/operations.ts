import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PortalOperation } from '../../contract/portal/operation.js'
import { type PortalOperationName, portalOperationNames, portalOperations } from '../../contract/portal/operations.js'
import { mayInPortal, portalRights } from '../../contract/portal/rights.js'
import { Refusal } from '../../contract/refusals.js'
import { checkOrderSheet, getOrderSheetTemplate, saveOrderSheet } from '../../ingest/tables/order-sheet.js'
import type { PortalHandlers } from '../../usecases/portal-context.js'
import { portalHandlers } from '../../usecases/portal-handlers.js'
import type { ResponseCache } from '../cache/response-cache.js'
import type { CallerLimits } from '../limits/caller-limits.js'
import { acceptForms } from '../operator/request-bodies.js'
import type { Service } from '../service.js'
import { inputReader, routeOf } from '../transport/input.js'
import { maxAnonymousBodyBytes } from '../transport/json-body.js'
import { deferredWork } from './deferred-work.js'
import type { Streams } from './event-stream.js'
import { type AnyPortalHandler, portalOperationHandler } from './operation-handler.js'
import {
  type AuthenticatedSession,
  authenticateSession,
  findAuthenticatedSession,
  refuseForeignOrigin,
  refuseForgery,
} from './session-cookie.js'
import { visitorQueue } from './visitor-queue.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for portal operations that require a session, and for those that report it if there is one. */
    authenticated: AuthenticatedSession
  }
}

const handlers: PortalHandlers = { ...portalHandlers, getOrderSheetTemplate, checkOrderSheet, saveOrderSheet }

type Options = {
  cache: ResponseCache
  /** For the next bytes of a form, in milliseconds. */
  idleTimeout: number
  limits: CallerLimits
  streams: Streams
}

/** Registers a route for every operation of the portal. */
export function registerPortalOperations(
  app: FastifyInstance,
  service: Service,
  { cache, idleTimeout, limits, streams }: Options,
): void {
  app.decorateRequest('authenticated', null as never)
  const shared = {
    cache,
    idleTimeout,
    streams,
    queueVisitor: visitorQueue(service.trustedProxies),
    defer: deferredWork(app),
  }

  // In onRequest, so that bodies of unauthenticated requests are not parsed.
  function admit(operation: PortalOperation) {
    const { access, method, returns, endsSession, readsSession, requiresReauthentication, duringEnrolment } = operation
    return async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'private, no-store')
      if (method !== 'GET') refuseForeignOrigin(request.raw, service.publicUrl)
      if (access === 'anyone' && !readsSession) return
      const authenticated = await (readsSession ? findAuthenticatedSession : authenticateSession)(service, request.raw)
      if (!authenticated && readsSession) return
      if (!authenticated) throw new Refusal('not_signed_in')
      request.authenticated = authenticated
      request.caller = authenticated.session.caller
      if (method !== 'GET') refuseForgery(request.raw, authenticated.token, service.publicUrl)
      if (authenticated.session.caller.isSuspended && !endsSession) throw new Refusal('account_suspended')
      if (!endsSession) {
        reply.headers(limits.count(request.caller))
        const end = limits.begin(request.caller, request.raw.socket)
        // Event streams have a limit of their own.
        if (returns === 'events') end()
        else reply.raw.once('close', end)
      }
      const { role } = authenticated.session.person
      if (access !== 'anyone' && !mayInPortal(role, access)) {
        const roles = portalRights[access].join(', ')
        throw new Refusal('insufficient_role', `The role \`${role}\` may not do this; these may: ${roles}.`)
      }
      if (access !== 'anyone' && !duringEnrolment && authenticated.session.mustEnrol) {
        throw new Refusal('enrolment_required')
      }
      if (requiresReauthentication && !authenticated.session.isRecentlyAuthenticated) {
        throw new Refusal('reauthentication_required')
      }
    }
  }

  function addRoutes(scope: FastifyInstance, accepts: PortalOperation['accepts']): void {
    for (const name of portalOperationNames) {
      const operation: PortalOperation = portalOperations[name]
      if (operation.accepts !== accepts) continue
      const handle = handlers[name] as AnyPortalHandler
      scope.route({
        method: operation.method,
        url: routeOf(operation),
        config: {
          operation: name satisfies PortalOperationName,
          isEndless: operation.returns === 'events',
          takesNoBody: !operation.body,
          ...(operation.access === 'anyone' && { maxBytes: maxAnonymousBodyBytes }),
        },
        onRequest: admit(operation),
        handler: portalOperationHandler(service, {
          name,
          operation,
          handle,
          inputOf: inputReader(operation),
          ...shared,
        }),
        // Files are already compressed or need their Content-Length; events must not be buffered.
        ...(operation.returns && { compress: false }),
        // A HEAD request would stay open like the stream itself.
        ...(operation.returns === 'events' && { exposeHeadRoute: false }),
      })
    }
  }

  addRoutes(app, undefined)
  void app.register(async (scope) => {
    await acceptForms(scope)
    addRoutes(scope, 'form')
  })
}
