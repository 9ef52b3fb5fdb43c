import { createServer, type IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { operatorOpenApi } from '../contract/operator/description.js'
import { portalOpenApi } from '../contract/portal/description.js'
import type { Site } from '../contract/portal/sites.js'
import { publicOpenApi } from '../contract/public/description.js'
import { examples } from '../contract/public/examples.js'
import { Refusal } from '../contract/refusals.js'
import { readQuorum } from '../database/read-quorum.js'
import { type ReplicaStatus, readRouter } from '../database/replicas.js'
import { removeOldAudit } from '../store/audit.js'
import { removeOldIdentities } from '../store/event-identities.js'
import { removeOldMails } from '../store/mails.js'
import { removeOldMessages } from '../store/messages.js'
import { removeOldNotifications } from '../store/notifications.js'
import { removeEndedPresence } from '../store/presence.js'
import { principalLookup } from '../store/principals.js'
import { removeOldDeliveries } from '../store/webhook-deliveries.js'
import { removeDoneWork } from '../store/work-items.js'
import { ResponseCache } from './cache/response-cache.js'
import { registerDownloads } from './documents/downloads.js'
import { registerFeedCallbacks } from './feeds/callbacks.js'
import { limitAddresses } from './limits/address-limit.js'
import { callerLimits } from './limits/caller-limits.js'
import { registerMcp } from './mcp/mcp-endpoint.js'
import { registerHealth } from './observability/health.js'
import { logOutput } from './observability/log-output.js'
import { registerMetrics } from './observability/metrics.js'
import { removeOldRows } from './observability/old-rows.js'
import { watchReadiness } from './observability/readiness.js'
import { openRequestLog } from './observability/request-log.js'
import { recordResponses } from './observability/response-recorder.js'
import { registerOperatorOperations } from './operator/operations.js'
import { registerDocs } from './pages/docs-page.js'
import { registerErrorPages } from './pages/error-pages.js'
import { registerGuides } from './pages/guides.js'
import { officeApplication, portalApplication } from './portal/application.js'
import { openStreams } from './portal/event-stream.js'
import { registerPortalOperations } from './portal/operations.js'
import { registerProviderSignIn } from './portal/provider-sign-in.js'
import { registerUnsubscribe } from './portal/unsubscribe.js'
import { type FastResponse, fastReads, type Handle } from './public/fast-reads.js'
import { registerOperations } from './public/operations.js'
import { registerSandbox } from './sandbox/routes.js'
import type { Service } from './service.js'
import { closeGracefully, skipEndedConnections } from './transport/connections.js'
import { parseJsonBodies } from './transport/json-body.js'
import { respondToMalformedRequest } from './transport/malformed-request.js'
import { registerNotFound } from './transport/not-found.js'
import { pipelinedRequests } from './transport/pipelined-requests.js'
import { handleError, refusalOf, sendProblem } from './transport/problems.js'
import { parseQueryString, refuseUnreadable } from './transport/query-string.js'
import { refuseAmbiguousHead } from './transport/request-head.js'
import { requestIds } from './transport/request-id.js'
import { securityHeaders } from './transport/security-headers.js'
import { defaultTimeouts, drainRequest } from './transport/timeouts.js'

const maxHeaderBytes = 16 * 1024
// Mails that were sent or given up are listed for as long.
const mailDays = 30
const notificationDays = 90
// Until when deliveries of webhooks are shown; the change feed has their events for longer.
const deliveryDays = 7

/** Composes the HTTP application of the service. */
export async function buildApp(service: Service): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const timeouts = { ...defaultTimeouts, ...service.timeouts }
  const quorum = service.readQuorum ? readQuorum(service.replicas ?? [], service.readQuorum) : undefined
  const reads = {
    lookup: principalLookup(service.db, quorum),
    cache: new ResponseCache(service.cacheBytes),
    reader: readRouter(service.db, service.replicas ?? [], (status) => onReplicaStatus(status)),
    limits: callerLimits(service),
    db: service.db,
    eventDays: service.eventDays,
  }
  let onReplicaStatus = (_status: ReplicaStatus) => {}
  const http = {
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
    headersTimeout: timeouts.headers,
    connectionsCheckingInterval: timeouts.headers / 2,
    keepAliveTimeout: 72_000,
    // Limits clients that send a request byte by byte.
    requestTimeout: timeouts.request,
  }
  const headers = securityHeaders(service.publicUrl)
  const pipelined = pipelinedRequests()
  let isRefused = (_request: IncomingMessage) => false
  const app = fastify({
    serverFactory: (handle) => {
      const handler: Handle = (request, response) => {
        // Set first, so that responses sent outside the framework have them, too.
        for (const name of Object.keys(headers)) response.setHeader(name, headers[name] as string)
        handle(request, response)
      }
      const onResponse = (response: FastResponse) => recorder.recordFast(response)
      const respond = service.serves.customers
        ? fastReads({ ...reads, trustedProxies: service.trustedProxies, headers, nextRequestId, onResponse }, handler)
        : handler
      const server = createServer(
        http,
        pipelined.serialize(
          skipEndedConnections((request, response) => (isRefused(request) ? handler : respond)(request, response)),
        ),
      )
      const addresses = limitAddresses(server, service.connectionsPerAddress, service.trustedProxies)
      isRefused = ({ socket }) => addresses.isExceeded(socket)
      return server
    },
    logger: {
      level: service.logLevel,
      base: null,
      redact: [
        'req.headers.authorization',
        'req.headers.cookie',
        'req.headers["x-supplier-link"]',
        'req.headers["x-shared-link"]',
      ],
      stream: logOutput,
    },
    genReqId: nextRequestId,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // A missing Host header is refused in the onRequest hook, with a problem body.
    routerOptions: { maxParamLength: maxHeaderBytes, querystringParser: parseQueryString },
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // Requests accepted before the service closes are served: Fastify's own 503 has no problem body.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      recorder.track(request, reply)
      void sendProblem(reply.header('x-request-id', request.id), request.id, refusalOf(error))
    },
    clientErrorHandler: (error, socket) => {
      const requestId = nextRequestId()
      const refusal = respondToMalformedRequest(error, socket, { requestId, headers, pipelined })
      if (refusal) recorder.recordMalformed(requestId, refusal)
    },
  })

  // Node responds to an unknown expectation with a bare 417; RFC 9110 allows ignoring it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  const connections = closeGracefully(app, pipelined)
  const requests = openRequestLog(app, service.db, service.serves.customers ? service.requestLogDays : undefined)

  const { auditDays, messageDays } = service
  if (auditDays !== undefined)
    app.addHook(
      'onClose',
      removeOldRows(app.log, 'audit log', (most) => removeOldAudit(service.db, auditDays, most)),
    )
  if (messageDays !== undefined) {
    app.addHook(
      'onClose',
      removeOldRows(app.log, 'messages', (most) => removeOldMessages(service.db, messageDays, most)),
    )
    app.addHook(
      'onClose',
      removeOldRows(app.log, 'versions of events', (most) => removeOldIdentities(service.db, messageDays, most)),
    )
  }

  app.addHook(
    'onClose',
    removeOldRows(app.log, 'deliveries', (most) => removeOldDeliveries(service.db, deliveryDays, most)),
  )

  if (service.portal.sendsMail)
    app.addHook(
      'onClose',
      removeOldRows(app.log, 'mails', (most) => removeOldMails(service.db, mailDays, most)),
    )

  app.addHook(
    'onClose',
    removeOldRows(app.log, 'notifications', (most) => removeOldNotifications(service.db, notificationDays, most)),
  )

  app.addHook(
    'onClose',
    removeOldRows(app.log, 'list of who is present', (most) => removeEndedPresence(service.db, most)),
  )

  app.addHook(
    'onClose',
    removeOldRows(app.log, 'handled work', (most) => removeDoneWork(service.db, most)),
  )

  app.addHook('onRequest', async (request, reply) => {
    recorder.track(request, reply)
    reply.header('x-request-id', request.id)
    if (isRefused(request.raw))
      throw new Refusal('too_many_connections', undefined, { headers: { connection: 'close', 'retry-after': '1' } })
    refuseAmbiguousHead(request.raw)
    refuseUnreadable(request.query)
  })
  app.addHook('onResponse', async (request) => drainRequest(request.raw))
  app.setErrorHandler(handleError)
  app.decorateRequest('caller', null as never)
  app.decorateRequest('operator', null as never)
  app.decorateRequest('operatorCredential', '')
  app.decorateRequest('authenticated', null as never)
  app.decorateRequest('supplierLink', null as never)
  app.decorateRequest('sharedLink', null as never)
  app.decorateRequest('calendar', null as never)

  await app.register(compress, {
    threshold: 1024,
    encodings: ['gzip', 'br', 'identity'],
    inflateIfDeflated: false,
    // Compressed request bodies are refused, not decompressed.
    globalDecompression: false,
  })
  parseJsonBodies(app, timeouts.jsonBody)
  const portal = service.serves.customers ? portalApplication() : undefined
  const office = service.serves.operators ? officeApplication() : undefined
  registerNotFound(app, (path) => (/^\/office(?:\/|$)/.test(path) ? office : portal)?.sendNotFound)
  const readiness = watchReadiness(app, service, quorum)
  const streams = openStreams(app)
  const metrics = registerMetrics(app, service, { ...reads, connections, requests, streams, readiness })
  const recorder = recordResponses(app, { metrics, requests, lookup: reads.lookup, logLevel: service.logLevel })
  onReplicaStatus = ({ name: replica, isAvailable, reason }) => {
    if (isAvailable) app.log.info({ replica }, 'reading from a replica')
    else app.log.warn({ replica, reason }, 'a replica is unavailable: reading from the primary instead')
  }
  registerHealth(app, readiness)
  registerErrorPages(app)
  // On both sides: operators see the document links of their customers.
  registerDownloads(app, service)
  function registerSite(site: Site): void {
    // One rate limit per person for /portal/v1 and /v1 together, as for a key.
    registerPortalOperations(app, service, site, { idleTimeout: timeouts.idle, ...reads, streams })
    if (service.portal.provider) registerProviderSignIn(app, service, site, service.portal.provider)
    const descriptionAt = `/${site}/openapi.json`
    registerDocs(app, { at: `/${site}/docs`, descriptionAt, describe: () => portalOpenApi(site) })
  }
  if (service.serves.customers) {
    registerOperations(app, service, reads, timeouts.idle)
    registerFeedCallbacks(app, service, timeouts.jsonBody)
    registerMcp(app, service, reads)
    registerDocs(
      app,
      { at: '/docs', descriptionAt: '/openapi.json', describe: () => publicOpenApi(examples) },
      service.demoKeys?.customers,
    )
    registerGuides(app, { at: '/docs/guides/', site: 'customers' }, service)
    registerUnsubscribe(app, service, timeouts.jsonBody)
    registerSite('portal')
    if (service.world) registerSandbox(app, service, service.world)
  }
  if (service.serves.operators) {
    registerOperatorOperations(app, service, timeouts.idle)
    // For browsers: the operator interface has no pages of its own.
    for (const path of ['/ops', '/ops/']) app.get(path, async (_request, reply) => reply.redirect('/ops/docs/', 302))
    registerDocs(
      app,
      { at: '/ops/docs', descriptionAt: '/ops/openapi.json', describe: operatorOpenApi },
      service.demoKeys?.operators,
    )
    registerGuides(app, { at: '/ops/docs/guides/', site: 'operators' }, service)
    registerSite('office')
  }
  portal?.register(app)
  office?.register(app)
  if (!service.serves.customers) app.get('/', async (_request, reply) => reply.redirect('/ops/docs/', 302))
  return app
}

// The contract validates input. Fastify's own compilers take longer to load than everything else in it.
function refuseSchemas(): never {
  throw new Error('routes have no Fastify schema: the contract describes them')
}
