import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OperatorOperation } from '../../contract/ops/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../../contract/ops/operations.js'
import { operatorHandlers, operatorPreparations } from '../../operator/operator.js'
import type { OperatorHolder } from '../../storage/operators.js'
import { inputReader, routeOf } from '../input.js'
import { sharedRateLimiter } from '../rate-limit.js'
import type { Service } from '../service.js'
import { type AnyHandler, answerOf } from './answer.js'
import { authenticateOperator, refuseWithoutRight } from './authentication.js'
import { acceptForms, acceptLines } from './bodies.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation of the operator interface before its handler runs. */
    operator: OperatorHolder
  }
}

const preparations = operatorPreparations as Partial<Record<OperatorOperationName, AnyHandler>>

/** Operations x handlers -> routes, for the forwarder's side. */
export function registerOperatorOperations(app: FastifyInstance, service: Service, silence: number): void {
  const limiter = sharedRateLimiter(service, 'operators')

  // Before the body is read: a stranger's body is not worth parsing.
  function admit(operation: OperatorOperation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      request.operator = await authenticateOperator(service.db, request.raw)
      if (limiter) reply.headers(limiter.count(request.operator.operator_id))
      refuseWithoutRight(request.operator, operation)
    }
  }

  function addRoutes(scope: FastifyInstance, accepts: OperatorOperation['accepts']): void {
    for (const name of operatorOperationNames) {
      const operation: OperatorOperation = operatorOperations[name]
      if (operation.accepts !== accepts) continue
      const handling = { handle: operatorHandlers[name] as AnyHandler, prepare: preparations[name] }
      const answer = answerOf(service, operation, handling, inputReader(operation), silence)
      scope.route({
        method: operation.method,
        url: routeOf(operation),
        config: { operation: name satisfies OperatorOperationName, takesNoBody: !operation.body },
        onRequest: admit(operation),
        handler: answer,
        // The bytes of a file as they are: compressed on the way they would have no length.
        ...(operation.answers === 'file' && { compress: false }),
      })
    }
  }

  // Each in a scope of its own: what is no JSON is read there, and refused everywhere else.
  addRoutes(app, undefined)
  void app.register(async (scope) => {
    await acceptForms(scope)
    addRoutes(scope, 'form')
  })
  void app.register(async (scope) => {
    acceptLines(scope, silence)
    addRoutes(scope, 'lines')
  })
}
