import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { RefusalCode } from './refusals.js'

/** What every interface of the service is made of: operations as data. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  params?: TObject
  query?: TObject
  body?: TObject
  success: {
    status: 200 | 201
    body: TSchema
    /** Where what was created is found: a path template, filled in from the answer. */
    location?: string
  }
  refusals: readonly RefusalCode[]
}

/** What an operation takes in one of its parts; undefined where it takes nothing there. */
export type PartOf<Op, Name extends 'params' | 'query' | 'body'> = Op extends {
  [Key in Name]: infer Schema extends TSchema
}
  ? Static<Schema>
  : undefined

export function isRead(operation: Operation): boolean {
  return operation.method === 'GET'
}

export const skip = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  default: 0,
  description: 'How many to leave out.',
})
export const take = (maximum: number, options = {}) =>
  Type.Integer({ minimum: 1, maximum, description: 'How many to return at most.', ...options })

/** What any operation of any interface may refuse with. */
export const refusalsAnywhere = [
  'invalid_request',
  'malformed_request',
  'missing_key',
  'invalid_key',
  'rate_limited',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const satisfies RefusalCode[]

/** And one that changes something: it may come with a body, whether it takes one or not. */
export const refusalsWithBody = [
  'malformed_json',
  'idempotency_key_reused',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies RefusalCode[]
