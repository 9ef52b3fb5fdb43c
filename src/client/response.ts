import type { Problem } from '../contract/problem.js'
import type { Fault } from '../contract/refusals.js'

/** The result of a call. */
export type CallResult<Data> = {
  data: Data
  /** Pass it as `ifNoneMatch` to get the data again only if it has changed. */
  etag: string | undefined
  notModified: false
  /** Identifies the request in the logs of the service. */
  requestId: string | undefined
}

/** The data for `ifNoneMatch` has not changed. */
export type NotModified = Omit<CallResult<undefined>, 'notModified'> & { notModified: true }

type Failure = {
  status?: number | undefined
  problem?: Partial<Problem>
  requestId?: string | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

/**
 * A failed call. With a `code`, the service refused it. Without one, the error comes from a proxy (`status`, and an excerpt of
 * its page in `detail`) or from the network (`cause`).
 */
export class WaybillError extends Error {
  readonly status: number | undefined
  readonly code: Problem['code'] | undefined
  readonly title: string | undefined
  readonly detail: string | undefined
  /** All faults of an invalid request. */
  readonly errors: Fault[]
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, from the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(message: string, { status, problem, requestId, retryAfter, cause }: Failure) {
    super(message, { cause })
    this.name = 'WaybillError'
    this.status = status
    this.code = problem?.code
    this.title = problem?.title
    this.detail = problem?.detail
    this.errors = problem?.errors ?? []
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** Converts a response to a result or an error. If the caller's signal aborts the request, its reason is thrown. */
export async function readResponse(
  sent: Promise<Response>,
  signal?: AbortSignal,
): Promise<CallResult<unknown> | NotModified> {
  let response: Response | undefined
  let text: string
  try {
    response = await sent
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new WaybillError(`no response: ${reasonOf(error)}`, { status: response?.status, cause: error })
  }
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const etag = headers.get('etag') ?? undefined
  if (status === 304) return { data: undefined, etag, notModified: true, requestId }
  const json = parsed(text)
  if (response.ok && json) return { data: json.value, etag, notModified: false, requestId }
  const retryAfter = Number(headers.get('retry-after')) || undefined
  const problem = json && findProblem(json.value)
  if (problem) {
    const { code, detail, request_id } = problem
    throw new WaybillError(`${status} ${code}: ${detail}`, { status, problem, requestId: request_id, retryAfter })
  }
  const detail = excerptOf(text)
  throw new WaybillError(`${status}, not from Waybill: ${detail}`, {
    status,
    problem: { detail },
    requestId,
    retryAfter,
  })
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

// A gateway may respond with JSON in another format.
function findProblem(json: unknown): Problem | undefined {
  const { code, detail } = (json ?? {}) as Partial<Problem>
  return typeof code === 'string' && typeof detail === 'string' ? (json as Problem) : undefined
}

function excerptOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}

// In Node the message is "fetch failed", and the cause has the reason.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message ? `${message} (${cause.message})` : message
}
