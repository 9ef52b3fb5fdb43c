import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../contract/operation.js'
import type { OperationName } from '../contract/operations.js'
import { problemOf } from '../contract/problem.js'
import { invalid } from '../contract/refusals.js'
import type { Input, WriteContext } from '../customer/handlers.js'
import { performWrite, type WriteAnswer } from '../storage/idempotent-write.js'
import { jsonMediaType } from './answer-read.js'
import { sendProblemAgain } from './problems.js'
import type { Service } from './service.js'

export type Write = (context: WriteContext, input: Input<OperationName>) => Promise<Record<string, unknown>>

export function answerWrite(service: Service, operation: Operation, write: Write) {
  const { status: success, location } = operation.success

  async function perform(input: Input<OperationName>, request: FastifyRequest): Promise<WriteAnswer> {
    const { account_id: account, key_id } = request.caller
    return performWrite(
      service.db,
      account,
      {
        author: key_id.startsWith('person:') ? key_id : `key:${key_id}`,
        content: `${operation.method} ${operation.path}\n${JSON.stringify(input.body)}`,
        idempotencyKey: idempotencyKeyOf(request),
        problemBody: (refusal) => JSON.stringify(problemOf(refusal, request.id)),
      },
      async (tx) => ({ status: success, body: JSON.stringify(await write({ tx, account }, input)) }),
    )
  }

  return async (input: Input<OperationName>, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, replayed } = await perform(input, request)
    if (replayed) reply.header('idempotent-replayed', 'true')
    if (status !== success) return sendProblemAgain(reply, status, body)
    if (location) reply.header('location', filledIn(location, JSON.parse(body) as Filling))
    return reply.code(status).type(jsonMediaType).send(body)
  }
}

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalid([{ pointer: '/Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' }])
}

type Filling = Record<string, unknown>

export function filledIn(template: string, values: Filling): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}
