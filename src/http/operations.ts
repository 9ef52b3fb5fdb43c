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
import { Refusal } from '../contract/refusals.js'
import { customerHandlers, promptHandlers } from '../customer/customer.js'
import type { Input } from '../customer/handlers.js'
import type { KeyHolder } from '../storage/keys.js'
import { answerRead } from './answer-read.js'
import { answerWrite, type PromptWrite, type Write } from './answer-write.js'
import { authenticate, lastKnownCaller } from './authentication.js'
import type { DirectReads } from './direct-reads.js'
import { inputReader, routeOf } from './input.js'
import type { Read } from './read-answer.js'
import type { Service } from './service.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation before its handler runs. */
    caller: KeyHolder
    /** Looks whether the caller, who was known before, still may; refuses when not. Absent when that is certain. */
    verifyCaller?: (() => Promise<KeyHolder>) | undefined
  }
  interface FastifyContextConfig {
    operation?: OperationName | OperatorOperationName
  }
}

/** Operations x handlers -> routes. */
export function registerOperations(
  app: FastifyInstance,
  service: Service,
  reads: Pick<DirectReads, 'limiter' | 'lookup' | 'memory' | 'readers'>,
): void {
  const { limiter, lookup } = reads

  // Before the body is read: a stranger's body is not worth parsing.
  function admit(operation: Operation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await authenticate(service.db, lookup, request.raw, service.demoAccount)
      request.caller = caller
      if (caller.isSuspended) throw new Refusal('account_suspended')
      if (limiter) reply.headers(limiter.count(caller.key_id))
      refuseWithoutScope(caller, scopeOf(operation))
    }
  }

  // Who was known before is let in at once: whether they still may is for the write to find out, or for a refusal.
  function admitPromptly(operation: Operation) {
    const admitSurely = admit(operation)
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = lastKnownCaller(lookup, request.raw)
      const isPlain = request.headers['idempotency-key'] === undefined
      if (!caller || !isPlain) return admitSurely(request, reply)
      request.caller = caller
      request.verifyCaller = async () => {
        request.verifyCaller = undefined
        const found = await authenticate(service.db, lookup, request.raw, service.demoAccount)
        if (found.isSuspended) throw new Refusal('account_suspended')
        refuseWithoutScope(found, scopeOf(operation))
        return found
      }
      if (limiter) reply.headers(limiter.count(caller.key_id))
    }
  }

  for (const name of operationNames) {
    const operation: PublicOperation = operations[name]
    const inputOf = inputReader(operation)
    const answer = isRead(operation)
      ? answerRead(service, reads, operation, customerHandlers[name] as Read)
      : answerWrite(
          service,
          operation,
          customerHandlers[name] as Write,
          promptHandlers[name] as PromptWrite | undefined,
        )
    app.route({
      method: operation.method,
      url: routeOf(operation),
      config: { operation: name },
      onRequest: promptHandlers[name] ? admitPromptly(operation) : admit(operation),
      handler: (request, reply) => answer(inputOf(request, request.body) as Input<OperationName>, request, reply),
    })
  }
}

function refuseWithoutScope({ scopes }: KeyHolder, scope: Scope): void {
  if (scopes.includes(scope)) return
  throw new Refusal('insufficient_scope', `This operation needs a key with the scope \`${scope}\`.`)
}
