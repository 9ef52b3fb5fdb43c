import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../contract/refusals.js'

/** Refuses requests whose head two servers may read differently. */
export function refuseAmbiguousHead(request: IncomingMessage): void {
  const reason = findAmbiguity(request)
  if (reason !== undefined) throw new Refusal('malformed_request', reason)
}

/** What is ambiguous about the head of a request; undefined if nothing is. */
export function findAmbiguity({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  // Node's parser also accepts HTTP/2.0, and then treats the request as one of HTTP/1.1.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The protocol version must be HTTP/1.1 or HTTP/1.0.'
  if (headers.host === undefined && httpVersion === '1.1') return 'The request has no Host header.'
  // Node takes the first of several, a proxy before it perhaps the last.
  if (isRepeated(rawHeaders, 'host')) return 'The request has several Host headers.'
  if (isRepeated(rawHeaders, 'authorization')) return 'The request has several Authorization headers.'
  return undefined
}

function isRepeated(rawHeaders: string[], name: string): boolean {
  let count = 0
  // Names and values alternate. The length is compared first: this runs for every request.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] as string
    if (each.length === name.length && each.toLowerCase() === name) count += 1
  }
  return count > 1
}
