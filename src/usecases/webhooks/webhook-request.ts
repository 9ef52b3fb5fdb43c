import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { allowedLookup, ForbiddenAddress, refuseForbidden, refuseLiteral } from '../outgoing/allowed-lookup.js'

/** Requests to endpoints of customers: limited in time and size, without redirects, and only to addresses that are allowed. */

export type EndpointResponse = {
  /** Undefined if there was no response. */
  status: number | undefined
  retryAfter: string | undefined
  /** The first bytes of the body, as text. */
  answer: string | undefined
  /** Why there was no response. */
  error: string | undefined
}

const keptBytes = 2048
// The rest is read so that the connection can be used again.
const mostBytes = 16 * 1024
const setting = 'WAYBILL_WEBHOOK_PRIVATE_NETWORKS'

export type WebhookSender = {
  /** Undefined if it was aborted: the endpoint may have received it. */
  send(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<EndpointResponse | undefined>
  close(): void
}

/** Keeps connections open for a while. The timeout (ms) is for all of a request, from the lookup of the name to the last byte. */
export function webhookSender({ allowsPrivate, timeout }: { allowsPrivate: boolean; timeout: number }): WebhookSender {
  const options = { keepAlive: true, maxFreeSockets: 10, timeout: 2 * timeout }
  const agents = { plain: new Agent(options), encrypted: new SecureAgent(options) }

  async function exchange(
    address: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<EndpointResponse> {
    const url = new URL(address)
    const isEncrypted = url.protocol === 'https:'
    const rule = { allowsPrivate, isEncrypted, setting }
    refuseLiteral(url, rule)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isEncrypted ? requestHttps : requestHttp)(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'accept-encoding': 'identity',
          'user-agent': 'waybill',
          ...headers,
        },
        lookup: allowedLookup(rule),
        agent: isEncrypted ? agents.encrypted : agents.plain,
        signal,
      })
      request.once('response', resolve).once('error', (error: NodeJS.ErrnoException) => {
        // The endpoint closed a connection that was kept open: this says nothing about the request.
        if (request.reusedSocket && error.code === 'ECONNRESET') reject(new ClosedConnection())
        else reject(error)
      })
      request.end(body)
    })
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      answer: await beginningOf(response),
      error: undefined,
    }
  }

  return {
    async send(url, headers, body, stop) {
      // Not `AbortSignal.any`: Node keeps some 60 bytes of each for as long as the process runs, and it takes 50 µs.
      const either = new AbortController()
      const abort = () => either.abort()
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        abort()
      }, timeout)
      stop.addEventListener('abort', abort, { once: true })
      if (stop.aborted) abort()
      try {
        for (;;) {
          try {
            return await exchange(url, headers, body, either.signal)
          } catch (error) {
            if (error instanceof ClosedConnection && !either.signal.aborted) continue
            if (stop.aborted) return undefined
            return { status: undefined, retryAfter: undefined, answer: undefined, error: reasonOf(error, isLate) }
          }
        }
      } finally {
        clearTimeout(timer)
        stop.removeEventListener('abort', abort)
      }
    },
    close() {
      agents.plain.destroy()
      agents.encrypted.destroy()
    },
  }

  function reasonOf(error: unknown, isLate: boolean): string {
    if (isLate) return `The endpoint did not respond within ${timeout / 1000} seconds.`
    // Where a name leads to within the forwarder's network is not for customers.
    if (error instanceof ForbiddenAddress) return forbidden
    const { code, message } = error as NodeJS.ErrnoException
    return `The endpoint could not be reached (${code ?? message}).`
  }
}

class ClosedConnection extends Error {}

const forbidden = 'The address is private or reserved, or public and without https://: nothing was sent.'

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (length < keptBytes) chunks.push(chunk)
    length += chunk.length
    // Leaving the loop destroys the response.
    if (length > mostBytes) break
  }
  // PostgreSQL stores no NUL.
  return Buffer.concat(chunks).subarray(0, keptBytes).toString().replaceAll('\0', '\u{fffd}')
}

const lookupTimeout = 2000
const exception = `private networks and this machine need ${setting}=on`

/** What is wrong with the address of an endpoint; undefined if nothing is. Whatever a name leads to later is checked again when it is sent to. */
export async function faultOfUrl(text: string, allowsPrivate: boolean): Promise<string | undefined> {
  if (!URL.canParse(text)) return 'must be an address that starts with https://'
  const url = new URL(text)
  const { protocol, username, password, hash } = url
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be an address that starts with https://'
  if (username !== '' || password !== '') return 'must not contain a user or password'
  if (hash !== '') return 'must not contain a fragment (#)'
  if (protocol === 'http:' && !allowsPrivate) return `must be an address that starts with https:// (${exception})`
  try {
    await refuseForbidden(url, { allowsPrivate, isEncrypted: protocol === 'https:', setting }, lookupTimeout)
    return undefined
  } catch (error) {
    if (error instanceof ForbiddenAddress)
      return `must lead to a public address, by https://${allowsPrivate ? '' : ` (${exception})`}`
    throw error
  }
}
