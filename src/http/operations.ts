import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRead, type Operation } from '../contract/operation.js'
import {
  type OperationName,
  operationNames,
  operations,
  type PublicOperation,
  type Scope,
  scopeOf,
} from '../contract/operations.js'
import type { OperatorOperationName } from '../contract/ops/operations.js'
import type { PortalOperationName } from '../contract/portal/operations.js'
import { Refusal } from '../contract/refusals.js'
import { customerHandlers } from '../customer/customer.js'
import type { Input } from '../customer/handlers.js'
import type { KeyHolder } from '../storage/keys.js'
import { answerRead } from './answer-read.js'
import { answerWrite, type Write } from './answer-write.js'
import { authenticate } from './authentication.js'
import type { Direct } from './direct.js'
import { handedOver } from './handed-over.js'
import { inputReader, routeOf } from './input.js'
import type { Read, ReadSource } from './read-answer.js'
import type { Service } from './service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation before its handler runs. */
    caller: KeyHolder
  }
  interface FastifyContextConfig {
    operation?: OperationName | OperatorOperationName | PortalOperationName | 'health' | 'downloadDocument'
    /** Its answer ends when somebody has heard enough. */
    isEndless?: boolean
    takesNoBody?: boolean
  }
}

/** Operations x handlers -> routes. */
export function registerOperations(
  app: FastifyInstance,
  service: Service,
  reads: ReadSource & Pick<Direct, 'limiter' | 'lookup'>,
): void {
  const { limiter, lookup } = reads

  // Before the body is read: a stranger's body is not worth parsing.
  function admit(operation: Operation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await authenticate(service.db, lookup, request.raw, service)
      request.caller = caller
      if (caller.isSuspended) throw new Refusal('account_suspended')
      if (limiter) reply.headers(handedOver(request.raw).limits ?? limiter.count(caller.key_id))
      refuseWithoutScope(caller, scopeOf(operation))
    }
  }

  for (const name of operationNames) {
    const operation: PublicOperation = operations[name]
    const inputOf = inputReader(operation)
    const answer = isRead(operation)
      ? answerRead(service, reads, operation, customerHandlers[name] as Read)
      : answerWrite(service, operation, customerHandlers[name] as Write)
    app.route({
      method: operation.method,
      url: routeOf(operation),
      config: { operation: name },
      onRequest: admit(operation),
      handler: (request, reply) => answer(inputOf(request, request.body) as Input<OperationName>, request, reply),
    })
  }
}

function refuseWithoutScope({ scopes, key_id }: KeyHolder, scope: Scope): void {
  if (scopes.includes(scope)) return
  if (key_id.startsWith('person:'))
    throw new Refusal('insufficient_role', 'The role `viewer` may read, and nothing else.')
  throw new Refusal('insufficient_scope', `This operation needs a key with the scope \`${scope}\`.`)
}
