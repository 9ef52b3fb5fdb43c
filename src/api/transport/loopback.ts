import type { IncomingMessage } from 'node:http'

/** Recognizes requests from this machine. */

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** Whether the Host header names this machine. */
export function namesLoopback({ headers }: IncomingMessage): boolean {
  return loopbackHost.test(headers.host ?? '')
}

// The Host header is checked against DNS rebinding: a foreign page must not reach the sandbox by a name that resolves to this
// machine. Requests forwarded by a local proxy do not count as local.
export function isLocal(request: IncomingMessage): boolean {
  const { socket, headers } = request
  return (
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    namesLoopback(request) &&
    headers['x-forwarded-for'] === undefined
  )
}
