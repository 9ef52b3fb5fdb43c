import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { RefusalCode } from './refusals.js'

/** An operation as data. Routes, validation, OpenAPI and client types are derived from tables of these. */
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
    /** Path template of the created resource, filled in from the response. */
    location?: string
  }
  refusals: readonly RefusalCode[]
}

/** The type of one part of an operation's input; undefined if it has none. */
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
  description: 'How many to skip from the start of the list, for paging.',
})
export const take = (maximum: number, options = {}) =>
  Type.Integer({ minimum: 1, maximum, description: 'How many to return at most: the size of a page.', ...options })

/** Refusals that every operation of every interface may return. */
export const refusalsAnywhere = [
  'invalid_request',
  'malformed_request',
  'missing_key',
  'invalid_key',
  'rate_limited',
  'too_many_connections',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const satisfies RefusalCode[]

/** Further refusals of writes, which clients may send with a body even if the operation takes none. */
export const refusalsWithBody = [
  'malformed_json',
  'idempotency_key_reused',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies RefusalCode[]
