import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemOf } from '../../contract/problem.js'
import type { OperationName, PublicOperation } from '../../contract/public/operations.js'
import { maxProposalBytes } from '../../contract/public/proposal-limits.js'
import { invalid } from '../../contract/refusals.js'
import { performWrite, type WriteRequest, type WriteResponse } from '../../ledger/idempotent-write.js'
import type { CustomerInput, ProposedFile, WriteContext } from '../../usecases/customer-context.js'
import { prepareFile } from '../../usecases/documents/document-content.js'
import { checkUrl } from '../../usecases/webhooks/manage-webhooks.js'
import { bearerOf } from '../authentication/authentication.js'
import type { Service } from '../service.js'
import { clientAddress, trustedBaseUrl } from '../transport/client-address.js'
import { fillTemplate } from '../transport/input.js'
import { sendStoredProblem } from '../transport/problems.js'
import { readForm } from '../transport/request-bodies.js'
import { jsonMediaType } from './response-headers.js'

export type Write = (context: WriteContext, input: CustomerInput<OperationName>) => Promise<Record<string, unknown>>

type InputOf = (request: FastifyRequest, body: unknown) => unknown

export function writeResponse(service: Service, operation: PublicOperation, write: Write, idleTimeout: number) {
  const { status: success, location } = operation.success

  async function perform(
    input: CustomerInput<OperationName> & Partial<ProposedFile>,
    request: FastifyRequest,
  ): Promise<WriteResponse> {
    const { account_id: account, key_id } = request.caller
    const { upload } = input
    const author = key_id.startsWith('person:') ? key_id : `key:${key_id}`
    const actor = { actor: author, address: clientAddress(request.raw, service.trustedProxies) }
    const base = trustedBaseUrl(request.raw, service.publicUrl)
    const { eventDays } = service
    const prepared = prepare(service, operation, input)
    // The handler awaits it, and reports a failure.
    await Promise.allSettled([prepared])
    return performWrite(
      service.db,
      account,
      {
        author,
        content: () =>
          `${operation.method} ${pathOf(input)}\n${JSON.stringify([input.body, upload?.hash, upload?.name])}`,
        ...retryOf(request, author),
        quotas: service.quotas,
        ...(!upload && { sharedBytes: lengthOf(request) }),
        problemBody: (refusal) => JSON.stringify(problemOf(refusal, request.id)),
      },
      async (tx) => ({
        status: success,
        body: JSON.stringify(await write({ tx, account, actor, base, eventDays, prepared }, input)),
      }),
    )
  }

  function pathOf({ params }: CustomerInput<OperationName>): string {
    return fillTemplate(operation.path, params ?? {})
  }

  // A response with a secret is encrypted with the caller's own, and its retries are the caller's own.
  function retryOf(request: FastifyRequest, author: string): Pick<WriteRequest, 'idempotencyKey' | 'encryptWith'> {
    const key = idempotencyKeyOf(request)
    if (!operation.containsSecret || key === undefined) return { idempotencyKey: key }
    const { authorization = '', cookie = '' } = request.headers
    return { idempotencyKey: `${author}\n${key}`, encryptWith: bearerOf(authorization) ?? cookie }
  }

  // Files that are not stored are removed before the response is sent.
  async function performUpload(inputOf: InputOf, request: FastifyRequest): Promise<WriteResponse> {
    const intake = service.files.createIntake()
    try {
      const { fields, upload } = await readForm(request, intake, idleTimeout, maxProposalBytes)
      const input = inputOf(request, fields) as CustomerInput<OperationName>
      const prepared = prepareFile(upload)
      // The handler awaits it, and reports a failure.
      await Promise.allSettled([prepared])
      return await perform({ ...input, upload, prepared }, request)
    } finally {
      await intake.discard()
    }
  }

  return async (inputOf: InputOf, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, replayed } = operation.accepts
      ? await performUpload(inputOf, request)
      : await perform(inputOf(request, request.body) as CustomerInput<OperationName>, request)
    if (replayed) reply.header('idempotent-replayed', 'true')
    if (status !== success) return sendStoredProblem(reply, status, body)
    if (location) reply.header('location', fillTemplate(location, JSON.parse(body) as Record<string, unknown>))
    return reply.code(status).type(jsonMediaType).send(body)
  }
}

/** Checks that need no lock, so that other writes of the account do not wait for them. */
async function prepare(
  { webhooksToPrivateNetworks = false }: Service,
  { checksUrl }: PublicOperation,
  { body }: CustomerInput<OperationName>,
): Promise<void> {
  if (checksUrl) await checkUrl((body as { url?: string }).url, webhooksToPrivateNetworks)
}

/** Undefined where it is known only by reading it. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
}

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalid([{ pointer: '/Idempotency-Key', detail: 'must be 1 to 255 printable ASCII characters' }])
}
