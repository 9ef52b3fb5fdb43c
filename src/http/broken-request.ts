import type { Socket } from 'node:net'
import { problemMediaType, problemOf } from '../contract/problem.js'
import { Refusal } from '../contract/refusals.js'

/** Answers what is no HTTP request, or too large a head of one, before the framework has seen it. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refusal = refusalOf(error)
  const body = JSON.stringify(problemOf(refusal, requestId))
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${refusal.status} ${refusal.code}`,
        `Content-Type: ${problemMediaType}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  socket.destroySoon()
}

function refusalOf(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout')
  return new Refusal('malformed_request', 'This is not a valid HTTP request.')
}
