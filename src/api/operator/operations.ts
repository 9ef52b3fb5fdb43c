import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorOperation } from '../../contract/operator/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../../contract/operator/operations.js'
import { normalizeShipment } from '../../domain/shipments/normalize-shipment.js'
import { importHandler } from '../../ingest/lines/import-handler.js'
import type { OperatorPrincipal } from '../../store/operators.js'
import type { OperatorHandlers } from '../../usecases/operator-context.js'
import { operatorHandlers, operatorPreparations } from '../../usecases/operator-handlers.js'
import { rateLimitHeaders, sharedRateLimiter } from '../limits/rate-limit.js'
import type { Service } from '../service.js'
import { signalsUntilClosed } from '../transport/closing.js'
import { inputReader, routeOf } from '../transport/input.js'
import { acceptForms, acceptLines, acceptMessages } from '../transport/request-bodies.js'
import { authenticateOperator, refuseWithoutRight } from './authentication.js'
import { type AnyHandler, operationHandler } from './operation-handler.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation of the operator interface before its handler runs. */
    operator: OperatorPrincipal
    /** The key or the session's token of the operator. */
    operatorCredential: string
  }
}

const handlers: OperatorHandlers = { ...operatorHandlers, import: importHandler }
const preparations = operatorPreparations as Partial<Record<OperatorOperationName, AnyHandler>>

const ofShipments = new Set<OperatorOperationName>(['createShipment', 'replaceShipment', 'updateShipment'])

/** Codes of shipments may be written in several ways: they are normalised before they are validated. */
function liberalReader(name: OperatorOperationName): ReturnType<typeof inputReader> {
  const read = inputReader(operatorOperations[name])
  if (!ofShipments.has(name)) return read
  return (request, body) => {
    const normalized = normalizeShipment(body)
    return { ...(read(request, body) as object), normalized }
  }
}

/** Registers a route for every operation of the operator interface. */
export function registerOperatorOperations(app: FastifyInstance, service: Service, idleTimeout: number): void {
  const { rateLimit, workerChannel } = service
  const untilClosed = signalsUntilClosed(app)
  const limiter = sharedRateLimiter(workerChannel, 'operators')

  // In onRequest, so that bodies of unauthenticated requests are not parsed.
  function admit(operation: OperatorOperation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const authenticated = await authenticateOperator(service, request.raw, operation)
      request.operator = authenticated.operator
      request.operatorCredential = authenticated.credential
      if (rateLimit !== undefined) {
        reply.headers(rateLimitHeaders(limiter.count(request.operator.operator_id, rateLimit), 'minute'))
      }
      refuseWithoutRight(authenticated, operation)
    }
  }

  function addRoutes(scope: FastifyInstance, accepts: OperatorOperation['accepts']): void {
    for (const name of operatorOperationNames) {
      const operation: OperatorOperation = operatorOperations[name]
      if (operation.accepts !== accepts) continue
      const handling = { handle: handlers[name] as AnyHandler, prepare: preparations[name], untilClosed }
      scope.route({
        method: operation.method,
        url: routeOf(operation),
        config: {
          operation: name satisfies OperatorOperationName,
          takesNoBody: !operation.body,
          takesFile: operation.mayBeEmpty ?? false,
          ...(operation.maxBytes !== undefined && { maxBytes: operation.maxBytes }),
          mayWait: operation.isFeed ?? false,
        },
        onRequest: admit(operation),
        handler: operationHandler(service, name, operation, handling, liberalReader(name), idleTimeout),
        // Compression would remove the Content-Length of files.
        ...(operation.returns === 'file' && { compress: false }),
      })
    }
  }

  // Forms, import lines and messages are parsed in separate scopes, and refused everywhere else.
  addRoutes(app, undefined)
  void app.register(async (scope) => {
    await acceptForms(scope)
    addRoutes(scope, 'form')
  })
  void app.register(async (scope) => {
    acceptLines(scope, idleTimeout)
    addRoutes(scope, 'lines')
  })
  void app.register(async (scope) => {
    acceptMessages(scope, idleTimeout)
    addRoutes(scope, 'message')
  })
}
