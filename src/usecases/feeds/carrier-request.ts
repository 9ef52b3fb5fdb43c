import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { allowedLookup, ForbiddenAddress, refuseLiteral } from '../outgoing/allowed-lookup.js'

/** Requests to carriers: limited in time and size, without redirects, and only to addresses that are allowed. */

export type CarrierResponse = { status: number; headers: IncomingHttpHeaders; content: Buffer }

/** The text is shown to operators: it contains neither keys nor what the carrier sent. */
export class CarrierFailure extends Error {
  /** Seconds that the carrier asks to wait. */
  readonly retryAfter: number | undefined
  /** The carrier does not know the page. */
  readonly isUnknownPage: boolean

  constructor(
    message: string,
    { retryAfter, isUnknownPage = false }: { retryAfter?: number | undefined; isUnknownPage?: boolean } = {},
  ) {
    super(message)
    this.name = 'CarrierFailure'
    this.retryAfter = retryAfter
    this.isUnknownPage = isUnknownPage
  }
}

const maxBytes = 4 * 1024 * 1024

export type RequestOptions = { allowsPrivate: boolean; timeout: number; signal: AbortSignal }

/** Requests a page, or sends a body. The timeout (ms) is for all of it, from the lookup of the name to the last byte. */
export async function requestCarrier(
  url: URL,
  headers: Record<string, string>,
  { allowsPrivate, timeout, signal, body }: RequestOptions & { body?: string },
): Promise<CarrierResponse> {
  const rule = { allowsPrivate, isEncrypted: url.protocol === 'https:', setting: 'WAYBILL_FEED_PRIVATE_ADDRESSES' }
  const late = AbortSignal.timeout(timeout)
  const request = rule.isEncrypted ? requestHttps : requestHttp
  try {
    refuseLiteral(url, rule)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'waybill', ...headers },
        lookup: allowedLookup(rule),
        agent: false,
        signal: AbortSignal.any([signal, late]),
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body)
    })
    return { status: response.statusCode ?? 0, headers: response.headers, content: await contentOf(response) }
  } catch (error) {
    if (error instanceof CarrierFailure || signal.aborted) throw error
    if (late.aborted)
      throw new CarrierFailure(`The carrier does not respond within ${Math.ceil(timeout / 1000)} seconds.`)
    if (error instanceof ForbiddenAddress) throw new CarrierFailure(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    throw new CarrierFailure(`The carrier cannot be reached (${code ?? message}).`)
  }
}

async function contentOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    // Leaving the loop destroys the response.
    if (length > maxBytes)
      throw new CarrierFailure(`The response of the carrier is larger than ${maxBytes / 1024 / 1024} MiB.`)
    chunks.push(chunk)
  }
  if (!response.complete) throw new CarrierFailure('The response of the carrier ended early.')
  return Buffer.concat(chunks)
}
