import { createServer } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { examples } from '../contract/examples.js'
import { operatorOpenApi } from '../contract/ops/description.js'
import { portalOpenApi } from '../contract/portal/description.js'
import { publicOpenApi } from '../contract/public-description.js'
import { Refusal } from '../contract/refusals.js'
import { keyLookup } from '../storage/key-lookup.js'
import { type ReplicaNews, readersOf } from '../storage/readers.js'
import { registerNotFound } from './allowed-methods.js'
import { AnswerMemory } from './answer-memory.js'
import { tellAnswers } from './answer-telling.js'
import { answerBrokenRequest } from './broken-request.js'
import { closeAfterAnswers, unlessEnded } from './connections.js'
import { type Answered, listOf, type Otherwise } from './direct.js'
import { directReads } from './direct-reads.js'
import { directWrites } from './direct-writes.js'
import { registerDocs } from './docs-page.js'
import { registerDownloads } from './downloads.js'
import { registerErrorPages } from './error-pages.js'
import { handedOver } from './handed-over.js'
import { registerHealth } from './health.js'
import { parseJsonBodies } from './json-body.js'
import { logOutput } from './log-output.js'
import { registerMetrics } from './metrics.js'
import { registerOperations } from './operations.js'
import { registerOperatorOperations } from './operator/operations.js'
import { forgetRest, usualPatience } from './patience.js'
import { openPipelining } from './pipelining.js'
import { portalApplication } from './portal/application.js'
import { openStreams } from './portal/event-stream.js'
import { registerPortalOperations } from './portal/operations.js'
import { registerProvider } from './portal/provider.js'
import { handleError, refusalOf, sendProblem } from './problems.js'
import { malformedQuery, parseQueryString } from './query-string.js'
import { sharedRateLimiter } from './rate-limit.js'
import { watchReadiness } from './readiness.js'
import { requestIds } from './request-id.js'
import { openRequestLog } from './request-log.js'
import { securityHeaders } from './security-headers.js'
import type { Service } from './service.js'

const largestHeader = 16 * 1024

/** The whole service as an application that can listen. */
export async function buildApp(service: Service): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const patience = { ...usualPatience, ...service.patience }
  const reads = {
    lookup: keyLookup(service.db, { remembers: service.answerMemory > 0 }),
    memory: new AnswerMemory(service.answerMemory, service.answerFile, (error) =>
      app.log.warn({ err: error }, 'answers could not be kept in their file'),
    ),
    readers: readersOf(service.db, service.replicas ?? [], (news) => onReplicaNews(news)),
    limiter: service.serves.customers ? sharedRateLimiter(service, 'keys') : undefined,
  }
  let onReplicaNews = (_news: ReplicaNews) => {}
  const http = {
    maxHeaderSize: largestHeader,
    requireHostHeader: false,
    headersTimeout: patience.head,
    connectionsCheckingInterval: patience.head / 2,
    keepAliveTimeout: 72_000,
    // A client that sends its request byte by byte holds a connection, not the service.
    requestTimeout: patience.whole,
  }
  const headers = securityHeaders(service.publicUrl)
  const pipelining = openPipelining()
  const app = fastify({
    serverFactory: (handle) => {
      const handler: Otherwise = (request, response) => {
        // Before anybody has a say, so that none is forgotten: not even by those who answer beside the framework.
        for (const name of Object.keys(headers)) response.setHeader(name, headers[name] as string)
        handle(request, response)
      }
      if (!service.serves.customers) return createServer(http, pipelining.inTurn(unlessEnded(handler)))
      const direct = {
        ...reads,
        headers: listOf(headers),
        nextRequestId,
        onAnswer: (answered: Answered) => telling.direct(answered),
        onFailure: (error: unknown) => app.log.error({ err: error }, 'request failed'),
      }
      const read = directReads(direct, reads, handler)
      const write = directWrites(direct, { db: service.db, patience: patience.json }, handler)
      const respond: Otherwise = (request, response) => {
        if (!read(request, response) && !write(request, response)) handler(request, response)
      }
      return createServer(http, pipelining.inTurn(unlessEnded(respond)))
    },
    logger: {
      level: service.logLevel,
      base: null,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      stream: logOutput,
    },
    genReqId: nextRequestId,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // A request without a host is refused below: by us, with a problem body.
    routerOptions: { maxParamLength: largestHeader, querystringParser: parseQueryString },
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // Whoever has been let in is answered, also while the service closes: the framework's own refusal says nothing.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      telling.follow(request, reply)
      void sendProblem(reply.header('x-request-id', request.id), request.id, refusalOf(error))
    },
    clientErrorHandler: (error, socket) => {
      const requestId = nextRequestId()
      const refusal = answerBrokenRequest(error, socket, { requestId, headers, pipelining })
      if (refusal) telling.broken(requestId, refusal)
    },
  })

  // Node answers an expectation that it does not know with a bare 417; RFC 9110 lets a server ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  const connections = closeAfterAnswers(app, pipelining)
  app.addHook('onClose', async () => service.answerFile?.close())
  const requests = openRequestLog(app, service.db, service.serves.customers ? service.requestLogDays : undefined)

  app.addHook('onRequest', async (request, reply) => {
    telling.follow(request, reply)
    reply.header('x-request-id', request.id)
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new Refusal('malformed_request', 'The request has no Host header.')
    const { failure } = handedOver(request.raw)
    if (failure !== undefined) throw failure
    if (request.query === malformedQuery)
      throw new Refusal('malformed_request', 'The query is not valid percent-encoded UTF-8.')
  })
  app.addHook('onResponse', async (request) => forgetRest(request.raw))
  app.setErrorHandler(handleError)
  app.decorateRequest('caller', null as never)
  app.decorateRequest('operator', null as never)

  await app.register(compress, {
    threshold: 1024,
    encodings: ['gzip', 'br', 'identity'],
    inflateIfDeflated: false,
    // Bodies come as they are: an encoded one is refused before anything is unpacked.
    globalDecompression: false,
  })
  parseJsonBodies(app, patience.json)
  const portal = service.serves.customers ? portalApplication() : undefined
  registerNotFound(app, portal?.sendNotFound)
  const readiness = watchReadiness(app, service)
  const streams = openStreams(app)
  const metrics = registerMetrics(app, service, { ...reads, connections, requests, streams, readiness })
  const telling = tellAnswers(app, { metrics, requests, lookup: reads.lookup, logLevel: service.logLevel })
  onReplicaNews = ({ name: replica, isRead, reason }) => {
    if (isRead) app.log.info({ replica }, 'a replica is read from')
    else app.log.warn({ replica, reason }, 'a replica is left alone: the primary is read instead')
  }
  registerHealth(app, readiness)
  registerErrorPages(app)
  // For both: operators are shown the links of their customers.
  registerDownloads(app, service)
  if (service.serves.customers) {
    registerOperations(app, service, reads)
    registerDocs(app, { at: '/docs', descriptionAt: '/openapi.json', describe: () => publicOpenApi(examples) })
    // What somebody asks counts as what a key does, here and on /v1 together.
    registerPortalOperations(app, service, { silence: patience.silence, ...reads, streams })
    if (service.portal.provider) registerProvider(app, service, service.portal.provider)
    registerDocs(app, { at: '/portal/docs', descriptionAt: '/portal/openapi.json', describe: portalOpenApi })
  }
  if (service.serves.operators) {
    registerOperatorOperations(app, service, patience.silence)
    registerDocs(app, { at: '/ops/docs', descriptionAt: '/ops/openapi.json', describe: operatorOpenApi })
  }
  if (portal) portal.register(app)
  else app.get('/', async (_request, reply) => reply.redirect('/ops/docs/', 302))
  return app
}

// The contract checks what comes in. Fastify's own compilers take longer to load than the rest of it.
function refuseSchemas(): never {
  throw new Error('a route has no schema of its own: the contract describes it')
}
