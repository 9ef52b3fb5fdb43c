import { operatorRefusals } from './operator/refusals.js'
import { portalRefusals } from './portal/refusals.js'
import { messageRefusals } from './public/message-refusals.js'
import { orderRefusals } from './public/order-refusals.js'
import { webhookRefusals } from './public/webhook-refusals.js'

/**
 * All refusals of the service. The code is stable and part of the public promise; `explanation` and `remedy` are the
 * content of the page at its `type` address.
 */
const publicRefusals = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'A parameter, a header or a field of the body is invalid. `errors` lists every error with a JSON pointer; query and path parameters and headers are identified by their name.',
    remedy: 'Correct the values listed in `errors` and send the request again. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    explanation: 'The body could not be parsed as one JSON value in UTF-8.',
    remedy: 'Send a single JSON object encoded in UTF-8. Nothing was changed.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    explanation:
      'The address or the framing of the request is malformed, for example by an invalid percent-encoding, more than 50 query parameters, or two `Host` or `Authorization` headers.',
    remedy: 'Percent-encode identifiers as UTF-8: `PO/2026/001` becomes `PO%2F2026%2F001`.',
  },
  missing_key: {
    status: 401,
    title: 'No key was sent',
    explanation: 'Every request needs a key in the Authorization header.',
    remedy: 'Send `Authorization: Bearer <key>` with a key of your account.',
  },
  invalid_key: {
    status: 401,
    title: 'The key is not valid',
    explanation:
      'The key is unknown, mistyped, expired or revoked, or belongs to another interface: a key that begins with `wb_op_` works on `/ops/v1`, every other one on `/v1`.',
    remedy:
      'Do what `detail` says: send the whole key, without quotes, as `Authorization: Bearer <key>`; or ask for a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key lacks the scope',
    explanation: 'The key is valid, but does not have the scope that the operation requires.',
    remedy: 'Use a key with the scope that `detail` names.',
  },
  address_not_allowed: {
    status: 403,
    title: 'The key does not work from this address',
    explanation: 'The key is limited to networks, and the request comes from an address outside of them.',
    remedy: 'Send the request from one of these networks, or create a key that allows the address.',
  },
  account_suspended: {
    status: 403,
    title: 'The account is suspended',
    explanation:
      'The forwarder has suspended the account. Its data is kept, but its keys do not work until the suspension ends.',
    remedy: 'Ask your forwarder.',
  },
  quota_exceeded: {
    status: 403,
    title: 'The account has used its quota',
    explanation: 'The write would store more bytes or more documents than the account may have. Nothing was changed.',
    remedy: 'Ask your forwarder for a larger quota.',
  },
  invalid_link: {
    status: 403,
    title: 'The download link is not valid',
    explanation: 'The link was altered or has expired. Links to documents are valid for 15 to 30 minutes.',
    remedy: 'Read the document again with `GET /v1/documents`: every response has new links.',
  },
  invalid_signature: {
    status: 401,
    title: 'The signature is not valid',
    explanation:
      'A carrier signs what it sends to a feed: `Notification-Signature: sha256=` and the HMAC-SHA256 of the body, as hexadecimal digits. The header is missing, or does not fit the body and the secret of the feed. Nothing was stored.',
    remedy: 'Sign the exact bytes of the body with the secret of the feed, decoded from base64.',
  },
  path_not_found: {
    status: 404,
    title: 'No operation at this path',
    explanation: 'The service has no operation at this path.',
    remedy:
      'Compare the path with the API reference at `/docs`, and encode slashes in a reference as `%2F`: `PO/2026/001` becomes `PO%2F2026%2F001`.',
  },
  no_shipments_found: {
    status: 404,
    title: 'No shipments found',
    explanation:
      'The account has no shipments, or `skip` is past the last one. This is the only list that returns 404 when it is empty, as the interface specifies.',
    remedy: 'Treat this response as an empty list; when paging, as its end.',
  },
  shipment_not_found: {
    status: 404,
    title: 'There is no such shipment',
    explanation: 'The account has no shipment with this `svc_shipment_id`.',
    remedy: 'Take identifiers from `GET /v1/shipments`, and percent-encode them in the path.',
  },
  purchase_order_not_found: {
    status: 404,
    title: 'There is no such purchase order',
    explanation: 'The account has no purchase order with this `reference`.',
    remedy: 'Take references from `GET /v1/purchaseOrders` (`po_number`), and percent-encode them in the path.',
  },
  location_not_found: {
    status: 404,
    title: 'There is no such location',
    explanation: 'The account has no location with this `id`.',
    remedy: 'Take identifiers from `GET /v1/locations`.',
  },
  invoice_not_found: {
    status: 404,
    title: 'There is no such invoice',
    explanation: 'The account has no invoice or credit note with this `reference` or `number`.',
    remedy: 'Take references from `GET /v1/invoices`, or numbers from `invoice_references` of a shipment.',
  },
  tracking_not_found: {
    status: 404,
    title: 'There is no tracking for this shipment',
    explanation: 'The account has no such shipment, or the shipment has no tracking data yet.',
    remedy: 'Try again once the shipment is booked.',
  },
  exception_not_found: {
    status: 404,
    title: 'There is no such exception',
    explanation: 'The account has no exception with this `exception_id`, or none that it can see.',
    remedy: 'Take identifiers from the list of exceptions.',
  },
  exception_closed: {
    status: 409,
    title: 'The exception is closed',
    explanation: 'What was wrong has ended, or somebody has closed it. Nothing was changed.',
    remedy: 'Read it again: `closed` says when, how and by whom. If it is raised again, that is a new episode.',
  },
  shared_link_not_found: {
    status: 404,
    title: 'There is no such link',
    explanation: 'The shipment has no link with this `link_id`.',
    remedy: 'Take identifiers from `GET /v1/shipments/{svc_shipment_id}/links`.',
  },
  too_many_shared_links: {
    status: 409,
    title: 'Too many links',
    explanation: 'The shipment has 20 links that work. Nothing was created.',
    remedy: 'Revoke a link that is not needed.',
  },
  ...webhookRefusals,
  ...messageRefusals,
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    explanation: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    explanation:
      'The timeout is 60 seconds for the headers of a request, and 60 seconds for a JSON body. A form with a file, or import lines, may take an hour, with at most 60 seconds between two bytes.',
    remedy: 'Send the request again. Nothing was changed.',
  },
  file_not_accepted: {
    status: 400,
    title: 'The file is not accepted',
    explanation: 'The content of the file does not match its name, or its type is not accepted.',
    remedy: 'Send a file of an accepted type, with the matching extension. Nothing was changed.',
  },
  proposal_exists: {
    status: 409,
    title: 'The proposal exists already',
    explanation: 'The account has a proposed document with this `id`. Nothing was changed.',
    remedy: 'Omit `id`: one is generated.',
  },
  too_many_proposals: {
    status: 409,
    title: 'Too many proposals are waiting',
    explanation: 'The forwarder has not decided about 1,000 proposed documents of the account. Nothing was stored.',
    remedy: 'Wait until your forwarder has accepted or returned some of them.',
  },
  ...orderRefusals,
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was used for another request',
    explanation: 'For 24 hours an `Idempotency-Key` identifies one request: the same method, path and body.',
    remedy: 'Use a new key for a new request.',
  },
  cursor_expired: {
    status: 410,
    title: 'The cursor cannot be continued from',
    explanation:
      'The cursor is none of this feed, or of the time before a backup was restored, or changes after it are older than the feed goes back.',
    remedy:
      'Start over: get a new cursor with `after=now`, read all lists, and go on from the new cursor. Nothing that happens after it is missed.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation:
      'The body is larger than the service accepts: 4 MiB of JSON with at most 100,000 values and 1,000 fields in an object, 16 KiB of JSON before signing in, or a file of 100 MiB.',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    explanation: 'Bodies are uncompressed JSON in UTF-8, unless the operation specifies another media type.',
    remedy: 'Send `Content-Type: application/json`, or the type that `detail` names, and no `Content-Encoding`.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The key, the signed-in user, the account or the link has reached the limit of requests per minute, or too many invitations were sent by e-mail.',
    remedy: 'Wait for the seconds in `Retry-After`. The `RateLimit` headers of every response show what is left.',
  },
  too_many_concurrent_requests: {
    status: 429,
    title: 'Too many concurrent requests',
    explanation: 'The account has as many requests in progress as its quota allows.',
    remedy: 'Send the next request when one has ended, with at most as many connections as `detail` says.',
  },
  too_many_connections: {
    status: 429,
    title: 'Too many open connections',
    explanation:
      'The key, the signed-in user, the account or the address of the client has too many open connections. This one is closed.',
    remedy: 'Reuse connections (keep-alive), and close those that are not used.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    explanation: 'Address and headers together are larger than the service accepts (16 KiB), or the query is (8 KiB).',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    explanation: 'An unexpected error occurred. The log of the service has it under the `request_id`.',
    remedy: 'Try again; if the error persists, report the `request_id`.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    explanation:
      'The database or the document storage is unavailable, other writes lock the account, or the service is starting or stopping.',
    remedy:
      'Wait for the seconds in `Retry-After` and send the request again; a write with the same `Idempotency-Key` is applied once.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>

export const refusals = { ...publicRefusals, ...operatorRefusals, ...portalRefusals }

export type RefusalCode = keyof typeof refusals
export const refusalCodes = Object.keys(refusals) as RefusalCode[]

/** The refusals of each interface. Operators and the portal may also get those of the public interface. */
export const publicRefusalCodes = Object.keys(publicRefusals) as (keyof typeof publicRefusals)[]
export const operatorRefusalCodes = Object.keys(operatorRefusals) as (keyof typeof operatorRefusals)[]
export const portalRefusalCodes = Object.keys(portalRefusals) as (keyof typeof portalRefusals)[]

/** One error of a request, with a JSON pointer to its location. */
export type Fault = { pointer: string; detail: string }

/** Thrown when a rule refuses a request; `src/api` turns it into a problem body. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly faults: Fault[] | undefined
  readonly headers: Record<string, string>

  constructor(code: RefusalCode, detail?: string, extra: { faults?: Fault[]; headers?: Record<string, string> } = {}) {
    super(detail ?? refusals[code].explanation)
    this.name = 'Refusal'
    this.code = code
    this.faults = extra.faults
    this.headers = extra.headers ?? {}
  }

  get status(): number {
    return refusals[this.code].status
  }
}

/** Clients get all errors of a request at once, up to this: a request may have one in each of its values. */
export const maxFaults = 100

export function invalid(faults: Fault[]): Refusal {
  const [first] = faults
  const place = first?.pointer ? `${first.pointer}: ` : ''
  const more = faults.length <= 1 ? '' : ` (and ${faults.length - 1} more)`
  return new Refusal('invalid_request', `${place}${first?.detail}${more}`, { faults: faults.slice(0, maxFaults) })
}

/** Says in the response itself how to start over. */
export function cursorExpired(): Refusal {
  const { explanation, remedy } = refusals.cursor_expired
  return new Refusal('cursor_expired', `${explanation} ${remedy}`)
}

/** Of an account that is being moved, or was moved, to another database: the other one serves it soon. */
export function accountMoved(): Refusal {
  return new Refusal('service_unavailable', 'The account is being moved to another installation; try again.')
}
