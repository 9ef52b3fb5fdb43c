import type { IncomingMessage } from 'node:http'

/** Who is on this machine itself. */

const loopbackAddress = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** Whether it was asked for by a name that means this machine to whoever asks. */
export function namesLoopback({ headers }: IncomingMessage): boolean {
  return loopbackHost.test(headers.host ?? '')
}

// The host that was asked for counts too: a foreign page must not reach the sandbox by a name that it made
// resolve to this machine, nor by a proxy that runs on it.
export function isLocal(request: IncomingMessage): boolean {
  const { socket, headers } = request
  return (
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    namesLoopback(request) &&
    headers['x-forwarded-for'] === undefined
  )
}
