import { operatorRefusals } from './ops/refusals.js'
import { portalRefusals } from './portal/refusals.js'

/**
 * Every way in which the service says no. The code is stable and part of the public promise; `explanation`
 * and `remedy` are the page that its `type` address answers with.
 */
const publicRefusals = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'A parameter, a header or a field of the body breaks a rule of the interface. `errors` lists every fault with a JSON pointer to the place; a fault of a query or path parameter or of a header is pointed to by its name.',
    remedy: 'Correct each place named in `errors` and send the request again. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    explanation: 'The body could not be read as one JSON value in UTF-8.',
    remedy: 'Send a single JSON object encoded in UTF-8. Nothing was changed.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    explanation: 'The address or the framing of the request is broken, for example by a bad percent-encoding.',
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
    explanation: 'The key is unknown, mistyped, expired or revoked.',
    remedy: 'Check that the whole key was sent, or ask for a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key lacks the scope',
    explanation: 'The key is valid, but it was not given the scope that the operation needs.',
    remedy: 'Use a key with the scope that `detail` names.',
  },
  account_suspended: {
    status: 403,
    title: 'The account is suspended',
    explanation: 'The forwarder has suspended the account. Its data stays, but its keys do not work meanwhile.',
    remedy: 'Ask your forwarder.',
  },
  invalid_link: {
    status: 403,
    title: 'The download link is not valid',
    explanation: 'The link was altered or has expired. Links to documents are valid for 15 to 30 minutes.',
    remedy: 'Read the document again with `GET /v1/documents`: every answer carries fresh links.',
  },
  path_not_found: {
    status: 404,
    title: 'There is nothing at this path',
    explanation: 'The service has no operation at this path.',
    remedy: 'Compare the path with the API reference at `/docs`.',
  },
  no_shipments_found: {
    status: 404,
    title: 'No shipments found',
    explanation:
      'The account has no shipments, or `skip` is past the last one. Of all lists only this one answers 404 when it is empty: the interface says so.',
    remedy: 'Treat this answer as an empty list; when paging, as the end of it.',
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
    explanation: 'The account has no such shipment, or nothing is known yet of where it is.',
    remedy: 'Ask again once the shipment is booked.',
  },
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
      'The service waits 60 seconds for the head of a request, and as long for a body of JSON. A form with a file, or import lines, may take an hour, as long as no 60 seconds pass without a byte.',
    remedy: 'Send the request again. Nothing was changed.',
  },
  purchase_order_exists: {
    status: 409,
    title: 'The purchase order exists already',
    explanation: 'The account has a purchase order with this `reference`. Nothing was changed.',
    remedy: 'Update it with `PATCH /v1/purchaseOrders`, or create one with another reference.',
  },
  purchase_order_assigned: {
    status: 409,
    title: 'The purchase order is assigned to a shipment',
    explanation:
      'An order can no longer be updated once one of its lines is assigned to a shipment. Nothing was changed.',
    remedy: 'Ask your forwarder to take the order off the shipment, or create another order.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The idempotency key was used for another request',
    explanation: 'Within 24 hours an `Idempotency-Key` stands for one request: the same method, path and body.',
    remedy: 'Use a new key for a new request.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation: 'The body is larger than the service accepts: 4 MiB of JSON, or a file of 100 MiB.',
    remedy: 'Send less at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not of the kind that is taken here',
    explanation:
      'Bodies are JSON in UTF-8, sent as they are, without compression, unless the operation says otherwise.',
    remedy: 'Send `Content-Type: application/json`, or the type that `detail` names, and no `Content-Encoding`.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The key, or whoever is signed in, has used up the requests of this minute; or many invitations were sent by mail, after which the next has to wait.',
    remedy: 'Wait for the seconds in `Retry-After`. The `RateLimit` headers of every answer tell how much is left.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    explanation: 'Address and headers together are larger than the service accepts (16 KiB).',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    explanation: 'The service failed in a way it did not expect. The failure is in its log under the `request_id`.',
    remedy: 'Try again; if it stays, report the `request_id`.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service is not available right now',
    explanation:
      'The database or the store of documents cannot be reached, the account is busy, or the service is starting or stopping.',
    remedy:
      'Wait for the seconds in `Retry-After` and send the request again; a write with the same `Idempotency-Key` takes effect once.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string; remedy: string }>

export const refusals = { ...publicRefusals, ...operatorRefusals, ...portalRefusals }

export type RefusalCode = keyof typeof refusals
export const refusalCodes = Object.keys(refusals) as RefusalCode[]

/** Those that a customer's system may meet; and beside them an operator, and somebody who is signed in to the portal. */
export const publicRefusalCodes = Object.keys(publicRefusals) as (keyof typeof publicRefusals)[]
export const operatorRefusalCodes = Object.keys(operatorRefusals) as (keyof typeof operatorRefusals)[]
export const portalRefusalCodes = Object.keys(portalRefusals) as (keyof typeof portalRefusals)[]

/** One fault of a request: where it is, and what is wrong there. */
export type Fault = { pointer: string; detail: string }

/** Thrown wherever a rule says no; the edge turns it into a problem body. */
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

export function invalid(faults: Fault[]): Refusal {
  const [first, ...others] = faults
  const place = first?.pointer ? `${first.pointer}: ` : ''
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return new Refusal('invalid_request', `${place}${first?.detail}${more}`, { faults })
}
