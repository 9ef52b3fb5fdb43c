import { createServer } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { examples } from '../contract/examples.js'
import { operatorOpenApi } from '../contract/ops/description.js'
import { portalOpenApi } from '../contract/portal/description.js'
import { publicOpenApi } from '../contract/public-description.js'
import { Refusal } from '../contract/refusals.js'
import { keyLookup } from '../storage/key-lookup.js'
import { type ReplicaNews, readersOf } from '../storage/readers.js'
import { registerNotFound } from './allowed-methods.js'
import { AnswerMemory } from './answer-memory.js'
import { answerBrokenRequest } from './broken-request.js'
import { closeAfterAnswers } from './connections.js'
import type { Answered, Direct } from './direct.js'
import { directReads } from './direct-reads.js'
import { directWrites } from './direct-writes.js'
import { registerDocs } from './docs-page.js'
import { registerDownloads } from './downloads.js'
import { registerErrorPages } from './error-pages.js'
import { handedOver } from './handed-over.js'
import { registerHealth } from './health.js'
import { parseJsonBodies } from './json-body.js'
import { logAnswered, logOutput } from './log-output.js'
import { registerMetrics } from './metrics.js'
import { registerOperations } from './operations.js'
import { registerOperatorOperations } from './operator/operations.js'
import { forgetRest, usualPatience } from './patience.js'
import { portalApplication } from './portal/application.js'
import { registerPortalOperations } from './portal/operations.js'
import { registerProvider } from './portal/provider.js'
import { handleError, refusalOf, sendProblem } from './problems.js'
import { malformedQuery, parseQueryString } from './query-string.js'
import { sharedRateLimiter } from './rate-limit.js'
import { requestIds } from './request-id.js'
import { noteAnswered, openRequestLog } from './request-log.js'
import type { Service } from './service.js'

const largestHeader = 16 * 1024

/** The whole service as an application that can listen. */
export async function buildApp(service: Service): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const patience = { ...usualPatience, ...service.patience }
  const reads = {
    lookup: keyLookup(service.db, { remembers: service.answerMemory > 0, isAlone: service.colleagues === undefined }),
    memory: new AnswerMemory(service.answerMemory, service.answerFile, (error) =>
      app.log.warn({ err: error }, 'answers could not be kept in their file'),
    ),
    readers: readersOf(service.db, service.replicas ?? [], (news) => onReplicaNews(news)),
    limiter: service.serves.customers ? sharedRateLimiter(service, 'keys') : undefined,
  }
  let onAnswer: Direct['onAnswer'] = () => {}
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
  const app = fastify({
    serverFactory: (handler) => {
      if (!service.serves.customers) return createServer(http, handler)
      const direct = { ...reads, nextRequestId, onAnswer: (answered: Answered) => onAnswer(answered) }
      const read = directReads(direct, reads, handler)
      const write = directWrites(direct, { db: service.db, patience: patience.json }, handler)
      return createServer(http, (request, response) => {
        if (!read(request, response) && !write(request, response)) handler(request, response)
      })
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
    frameworkErrors: (error, request, reply) => {
      void sendProblem(reply.header('x-request-id', request.id), request.id, refusalOf(error))
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, nextRequestId()),
  })

  // Node answers an expectation that it does not know with a bare 417; RFC 9110 lets a server ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  closeAfterAnswers(app)
  app.addHook('onClose', async () => service.answerFile?.close())
  const requests = openRequestLog(app, service.db, service.serves.customers ? service.requestLogDays : undefined)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new Refusal('malformed_request', 'The request has no Host header.')
    const { failure } = handedOver(request.raw)
    if (failure !== undefined) throw failure
    if (request.query === malformedQuery)
      throw new Refusal('malformed_request', 'The query is not valid percent-encoded UTF-8.')
  })
  app.addHook('onResponse', async (request, reply) => {
    forgetRest(request.raw)
    noteAnswered(requests, reads.lookup, request, reply)
    request.log.info(
      {
        account: request.caller?.slug ?? accountOf(request),
        operator: request.operator?.operator_id,
        person: personOf(request),
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
  })
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
  const observe = registerMetrics(app, service)
  const logsAnswers = ['info', 'debug', 'trace'].includes(service.logLevel)
  onAnswer = ({ operation, method, route, url, caller, status, started, requestId }) => {
    const milliseconds = performance.now() - started
    observe(operation, method, status, milliseconds / 1000)
    requests.note({ caller, requestId, method, url, status, at: Date.now(), duration: milliseconds })
    if (logsAnswers) logAnswered({ requestId, account: caller.slug, method, route, status, milliseconds })
  }
  onReplicaNews = ({ name: replica, isRead, reason }) => {
    if (isRead) app.log.info({ replica }, 'a replica is read from')
    else app.log.warn({ replica, reason }, 'a replica is left alone: the primary is read instead')
  }
  registerHealth(app, service)
  registerErrorPages(app)
  // For both: operators are shown the links of their customers.
  registerDownloads(app, service)
  if (service.serves.customers) {
    registerOperations(app, service, reads)
    registerDocs(app, { at: '/docs', descriptionAt: '/openapi.json', describe: () => publicOpenApi(examples) })
    registerPortalOperations(app, service, { memory: reads.memory, silence: patience.silence })
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

/** The account that an operator works in; what a stranger names is not worth a line. */
function accountOf({ operator, params }: FastifyRequest): string | undefined {
  return operator ? (params as { account?: string }).account : undefined
}

/** Who is signed in, whichever interface they ask. */
function personOf({ caller }: FastifyRequest): string | undefined {
  return caller?.key_id.startsWith('person:') ? caller.key_id.slice('person:'.length) : undefined
}
