import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.js'
import { problemOf } from '../../contract/problem.js'
import type { OperationName } from '../../contract/public/operations.js'
import { invalid } from '../../contract/refusals.js'
import { performWrite, type WriteResponse } from '../../ledger/idempotent-write.js'
import type { CustomerInput, WriteContext } from '../../usecases/customer-context.js'
import type { Service } from '../service.js'
import { fillTemplate } from '../transport/input.js'
import { sendStoredProblem } from '../transport/problems.js'
import { jsonMediaType } from './response-headers.js'

export type Write = (context: WriteContext, input: CustomerInput<OperationName>) => Promise<Record<string, unknown>>

export function writeResponse(service: Service, operation: Operation, write: Write) {
  const { status: success, location } = operation.success

  async function perform(input: CustomerInput<OperationName>, request: FastifyRequest): Promise<WriteResponse> {
    const { account_id: account, key_id } = request.caller
    return performWrite(
      service.db,
      account,
      {
        author: key_id.startsWith('person:') ? key_id : `key:${key_id}`,
        content: `${operation.method} ${operation.path}\n${JSON.stringify(input.body)}`,
        idempotencyKey: idempotencyKeyOf(request),
        quotas: service.quotas,
        problemBody: (refusal) => JSON.stringify(problemOf(refusal, request.id)),
      },
      async (tx) => ({ status: success, body: JSON.stringify(await write({ tx, account }, input)) }),
    )
  }

  return async (input: () => CustomerInput<OperationName>, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, replayed } = await perform(input(), request)
    if (replayed) reply.header('idempotent-replayed', 'true')
    if (status !== success) return sendStoredProblem(reply, status, body)
    if (location) reply.header('location', fillTemplate(location, JSON.parse(body) as Record<string, unknown>))
    return reply.code(status).type(jsonMediaType).send(body)
  }
}

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalid([{ pointer: '/Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' }])
}
