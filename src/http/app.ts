import { createServer } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { examples } from '../contract/examples.js'
import { operations } from '../contract/operations.js'
import { operatorOpenApi } from '../contract/ops/description.js'
import { publicOpenApi } from '../contract/public-description.js'
import { Refusal } from '../contract/refusals.js'
import { keyLookup } from '../storage/key-lookup.js'
import { registerNotFound } from './allowed-methods.js'
import { AnswerMemory } from './answer-memory.js'
import { answerBrokenRequest } from './broken-request.js'
import { closeAfterAnswers } from './connections.js'
import { registerDocs } from './docs-page.js'
import { registerDownloads } from './downloads.js'
import { registerErrorPages } from './error-pages.js'
import { registerHealth } from './health.js'
import { routeOf } from './input.js'
import { parseJsonBodies } from './json-body.js'
import { registerMetrics } from './metrics.js'
import { registerOperations } from './operations.js'
import { registerOperatorOperations } from './operator/operations.js'
import { forgetRest, usualPatience } from './patience.js'
import { handleError, refusalOf, sendProblem } from './problems.js'
import { malformedQuery, parseQueryString } from './query-string.js'
import { rateLimiter } from './rate-limit.js'
import { type RememberedReads, rememberedReads } from './remembered-reads.js'
import { requestIds } from './request-id.js'
import type { Service } from './service.js'

const largestHeader = 16 * 1024

/** The whole service as an application that can listen. */
export async function buildApp(service: Service): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const patience = { ...usualPatience, ...service.patience }
  const reads = {
    lookup: keyLookup(service.db),
    memory: new AnswerMemory(service.answerMemory),
    limiter: service.rateLimit === undefined ? undefined : rateLimiter(service.rateLimit),
  }
  let onAnswer: RememberedReads['onAnswer'] = () => {}
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
    serverFactory: (handler) =>
      createServer(
        http,
        service.serves.customers
          ? rememberedReads({ ...reads, nextRequestId, onAnswer: (answer) => onAnswer(answer) }, handler)
          : handler,
      ),
    logger: { level: service.logLevel, base: null, redact: ['req.headers.authorization'] },
    genReqId: nextRequestId,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // A request without a host is refused below: by us, with a problem body.
    routerOptions: { maxParamLength: largestHeader, querystringParser: parseQueryString },
    frameworkErrors: (error, request, reply) => {
      void sendProblem(reply.header('x-request-id', request.id), request.id, refusalOf(error))
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, nextRequestId()),
  })

  // Node answers an expectation that it does not know with a bare 417; RFC 9110 lets a server ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  closeAfterAnswers(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new Refusal('malformed_request', 'The request has no Host header.')
    if (request.query === malformedQuery)
      throw new Refusal('malformed_request', 'The query is not valid percent-encoded UTF-8.')
  })
  app.addHook('onResponse', async (request, reply) => {
    forgetRest(request.raw)
    request.log.info(
      {
        account: request.caller?.slug ?? accountOf(request),
        operator: request.operator?.operator_id,
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
  registerNotFound(app)
  const observe = registerMetrics(app)
  const logsAnswers = ['info', 'debug', 'trace'].includes(service.logLevel)
  onAnswer = ({ operation, caller, status, started, requestId }) => {
    const seconds = (performance.now() - started) / 1000
    observe(operation, status, seconds)
    if (!logsAnswers) return
    const duration_ms = Math.round(seconds * 10_000) / 10
    const route = routeOf(operations[operation])
    app.log.info({ request_id: requestId, account: caller.slug, method: 'GET', route, status, duration_ms }, 'answered')
  }
  registerHealth(app, service)
  registerErrorPages(app)
  // For both: operators are shown the links of their customers.
  registerDownloads(app, service)
  if (service.serves.customers) {
    registerOperations(app, service, reads)
    registerDocs(app, { at: '/docs', descriptionAt: '/openapi.json', description: publicOpenApi(examples) })
  }
  if (service.serves.operators) {
    registerOperatorOperations(app, service, patience.silence)
    registerDocs(app, { at: '/ops/docs', descriptionAt: '/ops/openapi.json', description: operatorOpenApi() })
  }
  const docs = service.serves.customers ? '/docs/' : '/ops/docs/'
  app.get('/', async (_request, reply) => reply.redirect(docs, 302))
  return app
}

/** The account that an operator works in; what a stranger names is not worth a line. */
function accountOf({ operator, params }: FastifyRequest): string | undefined {
  return operator ? (params as { account?: string }).account : undefined
}
