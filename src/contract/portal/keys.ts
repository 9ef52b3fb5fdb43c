import { type Static, Type } from 'typebox'
import { Key, MaxKeyDays } from '../operator/accounts.js'
import { DateWithTime } from '../public/shared-types.js'
import { Identifier, named } from '../schema.js'

/** The keys of an account, and their recent requests. */

const { key_id, scopes, ends_in, created_at, ...sometimes } = Key.properties

export const UsedKey = named(
  'UsedKey',
  { key_id, scopes, ends_in, created_at },
  { ...sometimes, last_used_at: DateWithTime },
)
export type UsedKey = Static<typeof UsedKey>

export const KeyPolicy = named('KeyPolicy', {}, { max_days: MaxKeyDays })
export type KeyPolicy = Static<typeof KeyPolicy>

export const LoggedRequest = named('LoggedRequest', {
  request_id: Type.String(),
  key_id: Identifier,
  at: DateWithTime,
  method: Type.String(),
  path: Type.String({ description: 'With its query; truncated if very long.' }),
  status: Type.Integer(),
  duration_ms: Type.Number(),
})
export type LoggedRequest = Static<typeof LoggedRequest>

export const LoggedRequests = named(
  'LoggedRequests',
  { requests: Type.Array(LoggedRequest) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)
export type LoggedRequests = Static<typeof LoggedRequests>
