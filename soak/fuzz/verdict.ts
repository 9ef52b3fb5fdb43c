import { type Described, type DescribedAnswer, faultIn, operationAt, type Schema } from './description.js'
import { headerOf, pathOf, type Request } from './request.js'
import type { Answer } from './wire.js'

/** What an answer breaks of what is promised; the rule tells violations apart. */
export type Violation = { rule: string; told: string }

/** A request and what came of it. */
export type Exchange = {
  request: Request
  answer: Answer
  /** The operation that the address belongs to, if any: not always the one that was meant. */
  addressed: Described | undefined
  /** The body as it was sent, where that is JSON. */
  sent: unknown
}

export function isAccepted({ request, answer }: Pick<Exchange, 'request' | 'answer'>): boolean {
  return answer.status >= 200 && answer.status < 300 && request.method !== 'GET' && request.method !== 'HEAD'
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

/** Whether an answer is one that its operation declares, and what its schema says. */
export function judge(exchange: Exchange, anyProblem: Schema): Violation | undefined {
  const { request, answer, addressed } = exchange
  const { status, headers } = answer
  if (status >= 500) return { rule: `answers ${status}`, told: answer.text.slice(0, 500) }
  if (!/^req_\w+$/.test(headers['x-request-id'] ?? '')) return { rule: 'has no request id', told: String(status) }
  if (!addressed) return judgeStray(exchange, anyProblem)
  const declared = addressed.answers.get(status)
  if (!declared) return { rule: `answers ${status}, which is not declared`, told: answer.text.slice(0, 500) }
  const missing = declared.headers.filter((name) => headers[name.toLowerCase()] === undefined)
  if (missing.length > 0) return { rule: `lacks the header ${missing.join(', ')}`, told: String(status) }
  if (request.method === 'HEAD') return undefined
  return judgeBody(answer, isOfPerson(exchange) ? withProblem(declared, anyProblem) : declared)
}

// Somebody who is signed in to the portal may ask /v1 as well, and is refused there as in the portal: its description
// says so, that of /v1 is for systems with keys.
function isOfPerson({ request, addressed }: Exchange): boolean {
  return addressed?.room === 'public' && headerOf(request, 'authorization') === undefined
}

const personCodes = ['not_signed_in', 'foreign_origin', 'insufficient_role']

function withProblem({ content, codes, headers }: DescribedAnswer, anyProblem: Schema): DescribedAnswer {
  const isProblem = problemMediaType in content
  return isProblem
    ? { headers, codes: [...codes, ...personCodes], content: { [problemMediaType]: anyProblem } }
    : { content, codes, headers }
}

function judgeBody(
  { status, headers, bytes, text, json }: Answer,
  { content, codes }: DescribedAnswer,
): Violation | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0] ?? ''
  if (Object.keys(content).length === 0) {
    return bytes.length === 0 ? undefined : { rule: `answers ${status} with a body`, told: text.slice(0, 200) }
  }
  const schema = content[type] ?? content['*/*']
  if (!schema) return { rule: `answers ${status} as ${type}, which is not declared`, told: text.slice(0, 200) }
  if (!type.endsWith('json')) return undefined
  const fault = unreadable(bytes) ?? faultIn(schema, json)
  if (fault !== undefined)
    return { rule: `answers ${status} against its schema`, told: `${fault}: ${text.slice(0, 500)}` }
  if (type !== problemMediaType) return undefined
  const { code, status: told } = json as { code: string; status: number }
  if (told !== status) return { rule: `answers ${status} and says ${told}`, told: text.slice(0, 200) }
  return codes.includes(code)
    ? undefined
    : { rule: `refuses by ${code}, which is not declared`, told: text.slice(0, 500) }
}

function unreadable(bytes: Buffer): string | undefined {
  try {
    utf8.decode(bytes)
    return undefined
  } catch {
    return 'the body is no UTF-8'
  }
}

// Nothing is at this address, or not by this method.
function judgeStray({ request, answer }: Exchange, anyProblem: Schema): Violation | undefined {
  const { status, headers, json, text } = answer
  if (status < 400) return { rule: `answers ${status} where nothing is`, told: text.slice(0, 200) }
  if (request.method === 'HEAD') return undefined
  // Whoever asks for a page is shown one that says so.
  if (headerOf(request, 'accept')?.includes('text/html')) return undefined
  const isProblem = headers['content-type']?.startsWith(problemMediaType) && faultIn(anyProblem, json) === undefined
  return isProblem ? undefined : { rule: `answers ${status} without a problem body`, told: text.slice(0, 200) }
}
