import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRead } from '../../contract/operation.js'
import type { OperatorOperationName } from '../../contract/operator/operations.js'
import type { PortalOperationName } from '../../contract/portal/operations.js'
import {
  isGranted,
  neededScopes,
  type OperationName,
  operationNames,
  operations,
  type PublicOperation,
} from '../../contract/public/operations.js'
import { Refusal } from '../../contract/refusals.js'
import type { Principal } from '../../store/keys.js'
import type { CustomerInput } from '../../usecases/customer-context.js'
import { customerHandlers } from '../../usecases/customer-handlers.js'
import { authenticate, refuseInactive } from '../authentication/authentication.js'
import { refuseOtherNetwork } from '../authentication/key-networks.js'
import type { Service } from '../service.js'
import { signalsUntilClosed, whenClosed } from '../transport/closing.js'
import { inputReader, routeOf } from '../transport/input.js'
import { acceptForms } from '../transport/request-bodies.js'
import type { FastPath } from './fast-reads.js'
import { type Read, type ReadPipeline, type ReadSources, readPipeline } from './read-pipeline.js'
import { requestState } from './request-state.js'
import { baseUrl, jsonMediaType, validatedHeaders } from './response-headers.js'
import { type Write, writeResponse } from './write-response.js'

/** Routes that no contract describes. */
type OtherOperation =
  | 'health'
  | 'downloadDocument'
  | 'checkFeed'
  | 'receiveNotification'
  | 'receiveFeedEvents'
  | 'showUnsubscribe'
  | 'getSandboxClock'
  | 'moveSandboxClock'
  | 'listSandboxMails'
  | 'listScenarios'
  | 'startScenario'
  | 'showMailbox'
  | 'showMail'
  | 'unsubscribe'
  | 'callTools'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every operation before its handler runs. */
    caller: Principal
  }
  interface FastifyContextConfig {
    operation?: OperationName | OperatorOperationName | PortalOperationName | OtherOperation
    /** An event stream, which the client closes. */
    isEndless?: boolean
    /** A request that may wait for changes: how long it takes says nothing. */
    mayWait?: boolean
    takesNoBody?: boolean
    /** The body is a file, of which only the text is read. */
    takesFile?: boolean
    /** The limit of a JSON body, if it is not the usual one. */
    maxBytes?: number
  }
}

/** Registers a route for every operation of the public interface. */
export function registerOperations(
  app: FastifyInstance,
  service: Service,
  reads: ReadSources & Pick<FastPath, 'limits' | 'lookup'>,
  /** For the next bytes of a form, in milliseconds. */
  idleTimeout: number,
): void {
  const { limits, lookup } = reads
  const untilClosed = signalsUntilClosed(app)

  // In onRequest, so that bodies of unauthenticated requests are not parsed.
  function admit(operation: PublicOperation) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await authenticate(service.db, lookup, request.raw, service)
      request.caller = caller
      refuseInactive(caller)
      reply.headers(limits.count(caller))
      whenClosed(reply.raw, limits.begin(caller, request.raw.socket))
      refuseOtherNetwork(service, caller, request)
      refuseWithoutScope(caller, operation)
    }
  }

  function addRoutes(scope: FastifyInstance, accepts: PublicOperation['accepts']): void {
    for (const name of operationNames) {
      const operation: PublicOperation = operations[name]
      if (operation.accepts !== accepts) continue
      const inputOf = inputReader(operation)
      const respond = isRead(operation)
        ? readResponse(
            service,
            readPipeline(reads, operation, customerHandlers[name] as Read),
            operation.isFeed && untilClosed,
          )
        : writeResponse(service, operation, customerHandlers[name] as Write, idleTimeout)
      scope.route({
        method: operation.method,
        url: routeOf(operation),
        config: { operation: name, mayWait: operation.isFeed ?? false, takesNoBody: !operation.body },
        onRequest: admit(operation),
        handler: (request, reply) => respond(inputOf, request, reply),
      })
    }
  }

  addRoutes(app, undefined)
  // Forms are parsed in a separate scope, and refused everywhere else.
  void app.register(async (scope) => {
    await acceptForms(scope)
    addRoutes(scope, 'form')
  })
}

/** Sends the response of the pipeline, or the one that the fast path has already obtained. */
function readResponse(service: Service, pipeline: ReadPipeline, signalOf?: (reply: FastifyReply) => AbortSignal) {
  return async (
    inputOf: (request: FastifyRequest, body: unknown) => unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const { outcome } = requestState(request.raw)
    if (outcome && 'error' in outcome) throw outcome.error
    const { etag, body } =
      outcome?.response ??
      (await pipeline.respond({
        principal: request.caller,
        url: request.raw.url as string,
        ifNoneMatch: request.headers['if-none-match'],
        base: baseUrl(service, request.raw),
        signal: signalOf?.(reply),
        input: () => inputOf(request, request.body) as CustomerInput<OperationName>,
      }))
    reply.headers({ ...validatedHeaders, etag })
    if (body === undefined) return reply.code(304).send()
    return reply.type(jsonMediaType).send(Buffer.isBuffer(body) ? body : Readable.from(body))
  }
}

function refuseWithoutScope({ scopes, key_id }: Principal, operation: PublicOperation): void {
  if (isGranted(scopes, operation)) return
  if (key_id.startsWith('person:')) throw new Refusal('insufficient_role', 'The role `viewer` may only read.')
  throw new Refusal('insufficient_scope', `This operation needs a key with the scope ${neededScopes(operation)}.`)
}
