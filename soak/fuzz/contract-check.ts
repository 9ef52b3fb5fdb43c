import { type Described, type DescribedResponse, faultIn, operationAt, type Schema } from './description.js'
import { headerOf, pathOf, type Request } from './request.js'
import type { HttpResponse } from './wire.js'

/** A broken promise; violations with the same rule are of one kind. */
export type Violation = { rule: string; detail: string }

/** A request and its response. */
export type Exchange = {
  request: Request
  response: HttpResponse
  /** The operation of the path, if any; a mutation may have changed it. */
  addressed: Described | undefined
  /** The request body, if it is JSON. */
  sent: unknown
}

export function isAccepted({ request, response }: Pick<Exchange, 'request' | 'response'>): boolean {
  return response.status >= 200 && response.status < 300 && request.method !== 'GET' && request.method !== 'HEAD'
}

export function addressedBy(operations: Described[], request: Request): Described | undefined {
  const isAsMeant = request.path === undefined && request.method === request.operation.method
  const hasAll = Object.values(request.params).every((param) => param !== '')
  return isAsMeant && hasAll
    ? request.operation
    : operationAt(operations, request.method, pathOf(request).replace(/^https?:\/\/[^/]*/, ''))
}

const problemMediaType = 'application/problem+json'
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Checks that the operation declares the response, and that it matches its schema. */
export function checkContract(exchange: Exchange, anyProblem: Schema): Violation | undefined {
  const { request, response, addressed } = exchange
  const { status, headers } = response
  if (status >= 500) return { rule: `responds with ${status}`, detail: response.text.slice(0, 500) }
  if (!/^req_\w+$/.test(headers['x-request-id'] ?? '')) return { rule: 'has no request id', detail: String(status) }
  if (!addressed) return checkUnaddressed(exchange, anyProblem)
  const declared = addressed.responses.get(status)
  if (!declared) return { rule: `responds with ${status}, which is not declared`, detail: response.text.slice(0, 500) }
  const missing = declared.headers.filter((name) => headers[name.toLowerCase()] === undefined)
  if (missing.length > 0) return { rule: `lacks the header ${missing.join(', ')}`, detail: String(status) }
  if (request.method === 'HEAD') return undefined
  return checkBody(response, isOfPerson(exchange) ? withProblem(declared, anyProblem) : declared)
}

// A session of the portal can call /v1, and is refused there as in the portal. Only the description of the portal declares
// these refusals.
function isOfPerson({ request, addressed }: Exchange): boolean {
  return addressed?.room === 'public' && headerOf(request, 'authorization') === undefined
}

const personCodes = ['not_signed_in', 'foreign_origin', 'insufficient_role']

function withProblem({ content, codes, headers }: DescribedResponse, anyProblem: Schema): DescribedResponse {
  const isProblem = problemMediaType in content
  return isProblem
    ? { headers, codes: [...codes, ...personCodes], content: { [problemMediaType]: anyProblem } }
    : { content, codes, headers }
}

function checkBody(
  { status, headers, bytes, text, json }: HttpResponse,
  { content, codes }: DescribedResponse,
): Violation | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0] ?? ''
  if (Object.keys(content).length === 0) {
    return bytes.length === 0 ? undefined : { rule: `responds with ${status} with a body`, detail: text.slice(0, 200) }
  }
  const schema = content[type] ?? content['*/*']
  if (!schema) return { rule: `responds with ${status} as ${type}, which is not declared`, detail: text.slice(0, 200) }
  if (!/[/+]json$/.test(type)) return undefined
  const fault = unreadable(bytes) ?? faultIn(schema, json)
  if (fault !== undefined)
    return { rule: `responds with ${status} against its schema`, detail: `${fault}: ${text.slice(0, 500)}` }
  if (type !== problemMediaType) return undefined
  const { code, status: stated } = json as { code: string; status: number }
  if (stated !== status)
    return { rule: `responds with ${status}, but its body states ${stated}`, detail: text.slice(0, 200) }
  return codes.includes(code)
    ? undefined
    : { rule: `refuses by ${code}, which is not declared`, detail: text.slice(0, 500) }
}

function unreadable(bytes: Buffer): string | undefined {
  try {
    utf8.decode(bytes)
    return undefined
  } catch {
    return 'the body is not UTF-8'
  }
}

// An unknown path or method.
function checkUnaddressed({ request, response }: Exchange, anyProblem: Schema): Violation | undefined {
  const { status, headers, json, text } = response
  if (status < 400) return { rule: `responds with ${status} for an unknown path`, detail: text.slice(0, 200) }
  if (request.method === 'HEAD') return undefined
  // A browser gets an HTML page.
  if (headerOf(request, 'accept')?.includes('text/html')) return undefined
  const isProblem = headers['content-type']?.startsWith(problemMediaType) && faultIn(anyProblem, json) === undefined
  return isProblem ? undefined : { rule: `responds with ${status} without a problem body`, detail: text.slice(0, 200) }
}
