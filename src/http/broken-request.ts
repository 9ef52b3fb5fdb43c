import type { Socket } from 'node:net'
import { problemMediaType, problemOf } from '../contract/problem.js'
import { Refusal } from '../contract/refusals.js'
import type { Pipelining } from './pipelining.js'

/**
 * Answers what is no HTTP request, or too large a head of one, before the framework has seen it. Tells what it was
 * refused with; undefined: there is nobody left to answer.
 */
export function answerBrokenRequest(
  error: BrokenRequest,
  socket: Socket,
  { requestId, headers, pipelining }: Telling,
): Refusal | undefined {
  if (error.code === 'ECONNRESET' || socket.destroyed || broken.has(socket)) return undefined
  // Whatever else comes on it is no more a request than this.
  broken.add(socket)
  socket.pause()
  const refusal = refusalOf(error)
  const [head, body] = textOf(refusal, requestId, headers)
  pipelining.afterAnswers(socket, (mayAnswer) => {
    if (mayAnswer && socket.writable) socket.write(asksForHead(error) ? head : head + body)
    socket.destroySoon()
  })
  return refusal
}

/** What the reader of HTTP tells of what it could not read. */
type BrokenRequest = NodeJS.ErrnoException & { rawPacket?: unknown; bytesParsed?: number }

type Telling = { requestId: string; headers: Record<string, string>; pipelining: Pipelining }

const broken = new WeakSet<Socket>()

/** As far as it was read: a client takes what follows the head of an answer to `HEAD` for the next one. */
function asksForHead({ rawPacket, bytesParsed }: BrokenRequest): boolean {
  const read = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, bytesParsed) : ''
  return read.split('\r\n\r\n').at(-1)?.startsWith('HEAD ') === true
}

function textOf(refusal: Refusal, requestId: string, headers: Record<string, string>): [head: string, body: string] {
  const body = JSON.stringify(problemOf(refusal, requestId))
  const lines = [
    `HTTP/1.1 ${refusal.status} ${refusal.code}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  return [`${lines.join('\r\n')}\r\n\r\n`, body]
}

function refusalOf(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout')
  return new Refusal('malformed_request', 'This is not a valid HTTP request.')
}
