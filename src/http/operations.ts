import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  isRead,
  type Operation,
  type OperationName,
  operationNames,
  operations,
  scopeOf,
} from '../contract/operations.js'
import { Refusal } from '../contract/refusals.js'
import { closed } from '../contract/schema.js'
import { queryValidatorOf, validatorOf } from '../contract/validation.js'
import { customerHandlers } from '../customer/customer.js'
import type { Input } from '../customer/handlers.js'
import type { KeyHolder } from '../storage/keys.js'
import { answerRead, type Read } from './answer-read.js'
import { answerWrite, type Write } from './answer-write.js'
import { authenticate } from './authentication.js'
import { rateLimiter } from './rate-limit.js'
import type { Service } from './service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation before its handler runs. */
    caller: KeyHolder
  }
  interface FastifyContextConfig {
    operation?: OperationName
  }
}

/** Operations x handlers -> routes. */
export function registerOperations(app: FastifyInstance, service: Service): void {
  const limiter = service.rateLimit === undefined ? undefined : rateLimiter(service.rateLimit)

  // Before the body is read: a stranger's body is not worth parsing.
  function admit(operation: Operation) {
    const scope = scopeOf(operation)
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await authenticate(service.db, request.raw, service.demoAccount)
      request.caller = caller
      if (limiter) reply.headers(limiter.count(caller.key_id))
      if (!caller.scopes.includes(scope)) {
        throw new Refusal('insufficient_scope', `This operation needs a key with the scope \`${scope}\`.`)
      }
    }
  }

  for (const name of operationNames) {
    const operation: Operation = operations[name]
    const inputOf = inputReader(operation)
    const answer = isRead(operation)
      ? answerRead(service, operation, customerHandlers[name] as Read)
      : answerWrite(service, operation, customerHandlers[name] as Write)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation: name },
      onRequest: admit(operation),
      handler: (request, reply) => answer(inputOf(request), request, reply),
    })
  }
}

const noQuery = queryValidatorOf(closed({}))

function inputReader(operation: Operation): (request: FastifyRequest) => Input<OperationName> {
  const params = operation.params && validatorOf(operation.params)
  const query = operation.query ? queryValidatorOf(operation.query) : noQuery
  const body = operation.body && validatorOf(operation.body)
  return (request) => {
    // /v1/shipments/ names no shipment, and is no other path either.
    if (Object.values(request.params as Record<string, string>).includes('')) throw new Refusal('path_not_found')
    return {
      params: params?.check(request.params),
      query: query.check(request.query as Record<string, unknown>),
      body: body?.check(request.body),
    } as Input<OperationName>
  }
}
