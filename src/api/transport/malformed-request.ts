import type { Socket } from 'node:net'
import { problemMediaType, problemOf } from '../../contract/problem.js'
import { Refusal } from '../../contract/refusals.js'
import type { PipelinedRequests } from './pipelined-requests.js'

/**
 * Responds to input that is not an HTTP request, or whose headers are too large, which the framework never sees. Returns the
 * refusal that was sent, or undefined if the client is gone.
 */
export function respondToMalformedRequest(
  error: ParseError,
  socket: Socket,
  { requestId, headers, pipelined }: Options,
): Refusal | undefined {
  if (error.code === 'ECONNRESET' || socket.destroyed || malformed.has(socket)) return undefined
  // The parser cannot resume: ignore all further input.
  malformed.add(socket)
  socket.pause()
  const refusal = refusalOf(error)
  const [head, body] = textOf(refusal, requestId, headers)
  pipelined.afterPending(socket, (canRespond) => {
    if (canRespond && socket.writable) socket.write(isHeadRequest(error) ? head : head + body)
    socket.destroySoon()
  })
  return refusal
}

/** An error of Node's HTTP parser. */
type ParseError = NodeJS.ErrnoException & { rawPacket?: unknown; bytesParsed?: number }

type Options = { requestId: string; headers: Record<string, string>; pipelined: PipelinedRequests }

const malformed = new WeakSet<Socket>()

/** A client would take the body of a response to HEAD for the next response. */
function isHeadRequest({ rawPacket, bytesParsed }: ParseError): boolean {
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
