import { type Static, Type } from 'typebox'
import { Key } from '../ops/accounts.js'
import { Identifier, named } from '../schema.js'
import { DateWithTime } from '../shared-types.js'

/** The keys of an account's systems, and what was asked with them lately. */

const { name, expires_at, revoked_at, ...always } = Key.properties

export const UsedKey = named('UsedKey', always, { name, expires_at, revoked_at, last_used_at: DateWithTime })
export type UsedKey = Static<typeof UsedKey>

export const LoggedRequest = named('LoggedRequest', {
  request_id: Type.String(),
  key_id: Identifier,
  at: DateWithTime,
  method: Type.String(),
  path: Type.String({ description: 'With its query; shortened where it is very long.' }),
  status: Type.Integer(),
  duration_ms: Type.Number(),
})
export type LoggedRequest = Static<typeof LoggedRequest>

export const LoggedRequests = named(
  'LoggedRequests',
  { requests: Type.Array(LoggedRequest) },
  { next: Type.String({ description: 'Where the list goes on: to be sent as `after`.' }) },
)
export type LoggedRequests = Static<typeof LoggedRequests>
