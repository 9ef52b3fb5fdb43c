import type { RefusalCode } from './refusals.js'

/** The headers of requests and responses, as the OpenAPI descriptions show them. */

export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the response that the client has cached.',
  schema: { type: 'string' },
}

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes retries safe: for 24 hours a request with the same key returns the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const text = { type: 'string' }
export const requestId = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs of the service: quote it in questions to the forwarder.',
    required: true,
    schema: text,
  },
}
export const validator = {
  ETag: {
    description: 'Changes whenever the response does. Send it as `If-None-Match` with the next request.',
    required: true,
    schema: text,
  },
}
export const createdAt = {
  Location: { description: 'The path at which the created resource can be read.', required: true, schema: text },
}
export const replayed = {
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`. Absent otherwise.',
    schema: { type: 'string', enum: ['true'], 'x-enumDescriptions': { true: 'Nothing was written by this request.' } },
  },
}
export const rateLimit = {
  RateLimit: {
    description:
      'Requests that are left (`r`) and the seconds until the window ends (`t`), of the limit that has less left: that of the key or user, or that of the account. Absent where no limit applies.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit to which `RateLimit` refers: requests (`q`) in a window of so many seconds (`w`).',
    schema: text,
  },
}

// By the code of a refusal: headers that its response has besides those of every response.
const retryAfter = { 'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: text } }
export const refusalHeaders: Partial<Record<RefusalCode, Record<string, object>>> = {
  missing_key: {
    'WWW-Authenticate': {
      description: 'How to authenticate (RFC 6750); with `error="invalid_token"` if a key was sent.',
      schema: text,
    },
  },
  method_not_allowed: {
    Allow: { description: 'The methods that the path has, separated by commas.', required: true, schema: text },
  },
  rate_limited: { ...retryAfter, ...rateLimit },
  too_many_connections: retryAfter,
  too_many_concurrent_requests: retryAfter,
  service_unavailable: retryAfter,
}
