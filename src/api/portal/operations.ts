import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { officeOperations, rolesFor } from '../../contract/office/operations.js'
import { isRefusedToViewers, type PortalOperation } from '../../contract/portal/operation.js'
import { type PortalOperationName, portalOperationNames, portalOperations } from '../../contract/portal/operations.js'
import type { Site } from '../../contract/portal/sites.js'
import { Refusal } from '../../contract/refusals.js'
import { checkOrderSheet, getOrderSheetTemplate, saveOrderSheet } from '../../ingest/tables/order-sheet.js'
import type { OpenCalendar } from '../../store/calendars.js'
import type { OpenSharedLink } from '../../store/shared-links.js'
import type { OpenSupplierLink } from '../../store/supplier-links.js'
import type { PortalHandlers } from '../../usecases/portal-context.js'
import { portalHandlers } from '../../usecases/portal-handlers.js'
import { refuseInactive } from '../authentication/authentication.js'
import type { ResponseCache } from '../cache/response-cache.js'
import type { CallerLimits } from '../limits/caller-limits.js'
import type { Service } from '../service.js'
import { whenClosed } from '../transport/closing.js'
import { inputReader, routeOf } from '../transport/input.js'
import { maxAnonymousBodyBytes } from '../transport/json-body.js'
import { acceptForms } from '../transport/request-bodies.js'
import { deferredWork } from './deferred-work.js'
import type { Streams } from './event-stream.js'
import { linkAdmission } from './link-admission.js'
import { type AnyPortalHandler, portalOperationHandler } from './operation-handler.js'
import {
  type AuthenticatedSession,
  authenticateSession,
  findAuthenticatedSession,
  refuseForeignOrigin,
  refuseForgery,
  siteAddress,
} from './session-cookie.js'
import { visitorQueue } from './visitor-queue.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for portal operations that require a session, and for those that report it if there is one. */
    authenticated: AuthenticatedSession
    /** Set for portal operations that require a link for suppliers. */
    supplierLink: OpenSupplierLink
    /** Set for those that require the link of a shared shipment. */
    sharedLink: OpenSharedLink
    /** Set for the one that requires the address of a calendar. */
    calendar: OpenCalendar
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

const operationsOf: Record<Site, Partial<Record<PortalOperationName, PortalOperation>>> = {
  portal: portalOperations,
  office: officeOperations,
}

/** Registers a route for every operation of the portal, or of the office. */
export function registerPortalOperations(
  app: FastifyInstance,
  service: Service,
  site: Site,
  { cache, idleTimeout, limits, streams }: Options,
): void {
  const address = siteAddress(service, site)
  const shared = {
    cache,
    site,
    idleTimeout,
    streams,
    queueVisitor: visitorQueue(service.trustedProxies),
    defer: deferredWork(app),
  }

  // In onRequest, so that bodies of unauthenticated requests are not parsed.
  function admit(operation: PortalOperation) {
    const { access, method, returns, endsSession, readsSession, byLink } = operation
    const { requiresReauthentication, duringEnrolment } = operation
    return async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'private, no-store')
      if (method !== 'GET') refuseForeignOrigin(request.raw, address.url)
      if (byLink) return admitByLink[byLink](request)
      if (access === 'anyone' && !readsSession) return
      const find = readsSession ? findAuthenticatedSession : authenticateSession
      const authenticated = await find(service.db, address, request.raw)
      if (!authenticated && readsSession) return
      if (!authenticated) throw new Refusal('not_signed_in')
      request.authenticated = authenticated
      request.caller = authenticated.session.caller
      if (method !== 'GET') refuseForgery(request.raw, authenticated.token, address.url)
      if (authenticated.session.viewer && isRefusedToViewers(operation)) throw new Refusal('viewing_only')
      if (!endsSession) refuseInactive(authenticated.session.caller)
      if (!endsSession) {
        reply.headers(limits.count(request.caller))
        const end = limits.begin(request.caller, request.raw.socket)
        // Event streams have a limit of their own.
        if (returns === 'events') end()
        else whenClosed(reply.raw, end)
      }
      const { role } = authenticated.session.person
      if (access !== 'anyone' && !rolesFor(site, access).includes(role)) {
        const roles = rolesFor(site, access).join(', ')
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

  const admitByLink = linkAdmission(service)

  function addRoutes(scope: FastifyInstance, accepts: PortalOperation['accepts']): void {
    for (const name of portalOperationNames) {
      const operation = operationsOf[site][name]
      if (!operation || operation.accepts !== accepts) continue
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
    addRoutes(scope, 'file')
  })
}
