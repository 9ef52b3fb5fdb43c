import type { IncomingHttpHeaders } from 'node:http'
import { systemTime } from '../../clock/clock.js'
import { refuseCounts } from '../../contract/json-counts.js'
import type { FeedFormat } from '../../contract/operator/feeds.js'
import { CarrierFailure, type CarrierResponse } from './carrier-request.js'

/** The pages of events of a carrier: their addresses, and what they contain. */

const usualLimit = 100

type PagedFeed = { url: string; format: FeedFormat; since: Date | null }

/** The address of the first page of a round: of the events that were created since the last round. */
export function firstPage({ url: given, format, since }: PagedFeed): URL {
  const url = new URL(given)
  if (!/\/events\/?$/.test(url.pathname)) {
    const isVersion = format === 'dcsa-3.0' || /\/v\d+\/?$/.test(url.pathname)
    url.pathname = `${url.pathname.replace(/\/$/, '')}${isVersion ? '/events' : '/v2/events'}`
  }
  // Operators of 2.2 are part of the name, with a colon, which URLSearchParams would encode.
  const filter = format === 'dcsa-2.2' ? 'eventCreatedDateTime:gte' : 'eventUpdatedDateTimeMin'
  const own = [
    url.search.slice(1),
    url.searchParams.has('limit') ? '' : `limit=${usualLimit}`,
    since ? `${filter}=${encodeURIComponent(since.toISOString())}` : '',
  ]
  url.search = own.filter((part) => part !== '').join('&')
  return url
}

export type FeedPage = { isEmpty: boolean; newest: Date | undefined; next: string | undefined }

/** Reads a response. Throws a `CarrierFailure` unless it is a page of events. */
export function readPage({ status, headers, content }: CarrierResponse, url: URL): FeedPage {
  if (status !== 200 && status !== 206 && status !== 204) throw failureOf(status, headers)
  const next = nextPage(headers, url)
  if (status === 204) return { isEmpty: true, newest: undefined, next }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new CarrierFailure('The response of the carrier is compressed, which was not asked for.')
  const events = eventsIn(content)
  return { isEmpty: events.length === 0, newest: newestOf(events), next }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function eventsIn(content: Buffer): unknown[] {
  let json: unknown
  try {
    refuseCounts(content)
    json = JSON.parse(utf8.decode(content))
  } catch {
    throw new CarrierFailure('The response of the carrier is not JSON, or has too many values.')
  }
  const { events } = (json ?? {}) as { events?: unknown }
  const found = Array.isArray(json) ? (json as unknown[]) : events
  if (Array.isArray(found)) return found as unknown[]
  throw new CarrierFailure('The response of the carrier is not a list of events.')
}

function newestOf(events: unknown[]): Date | undefined {
  let newest = 0
  for (const event of events) {
    if (!isObject(event)) continue
    const fields = isObject(event.metadata) ? event.metadata : event
    const given = fields.eventUpdatedDateTime ?? fields.eventCreatedDateTime
    const time = typeof given === 'string' ? Date.parse(given) : Number.NaN
    if (time > newest) newest = time
  }
  return newest > 0 ? new Date(newest) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

// Longer ones are refused by servers.
const maxAddressLength = 8000

/** `Next-Page` is a link, or a cursor as in the example of DCSA 2.2; `Next-Page-Cursor` of 3.0 is a cursor. */
function nextPage(headers: IncomingHttpHeaders, url: URL): string | undefined {
  const [link, cursor] = [headers['next-page'], headers['next-page-cursor']].map((header) =>
    String(header ?? '').trim(),
  )
  const next = new URL(url)
  if (link !== undefined && /^(?:https?:\/\/|[/?])/i.test(link)) {
    if (!URL.canParse(link, url.href)) throw new CarrierFailure('The address of the next page is not valid.')
    next.href = new URL(link, url).href
    next.hash = ''
    // The key must not be sent elsewhere.
    if (next.origin !== url.origin || next.username !== '' || next.password !== '')
      throw new CarrierFailure('The next page is at another host than the feed.')
  } else if (cursor || link) {
    next.searchParams.set('cursor', cursor || link || '')
  } else {
    return undefined
  }
  if (next.href === url.href) throw new CarrierFailure('The next page is the page itself.')
  if (next.href.length > maxAddressLength) throw new CarrierFailure('The address of the next page is too long.')
  return next.href
}

const unknownPage = new Set([400, 404, 410, 422])

export function failureOf(status: number, headers: IncomingHttpHeaders): CarrierFailure {
  const retryAfter = secondsIn(headers['retry-after'])
  if (status >= 300 && status < 400)
    return new CarrierFailure(`The carrier redirects (${status}), which is not followed.`)
  if (status === 401 || status === 403)
    return new CarrierFailure(`The carrier refuses the key (${status}).`, { retryAfter })
  if (status === 429) return new CarrierFailure('The carrier asks to wait (429).', { retryAfter })
  return new CarrierFailure(`The carrier responds with ${status}.`, {
    retryAfter,
    isUnknownPage: unknownPage.has(status),
  })
}

const longestWait = 86_400

/** `Retry-After`: seconds, or a date. */
function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - systemTime()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(longestWait, Math.max(0, seconds))
}
