import { type Static, Type } from 'typebox'
import { named } from '../schema.js'

/** What an account may use. 0 is no limit; a quota that is not set is the default of the configuration. */

const quota = (description: string) => Type.Integer({ minimum: 0, maximum: 9_007_199_254_740_991, description })
const orNull = (description: string) => Type.Union([quota(description), Type.Null()])

const descriptions = {
  requests_per_minute: 'Requests per minute with all keys and by all users of the account; 0: no limit.',
  concurrent_requests: 'Requests in progress at the same time, in one process of the service; 0: no limit.',
  stored_bytes: 'Bytes of all versions of its records and documents; 0: no limit.',
  documents: 'Documents, without withdrawn ones; 0: no limit.',
}

export const Quotas = named(
  'Quotas',
  {},
  {
    requests_per_minute: quota(descriptions.requests_per_minute),
    concurrent_requests: quota(descriptions.concurrent_requests),
    stored_bytes: quota(descriptions.stored_bytes),
    documents: quota(descriptions.documents),
  },
)
export type Quotas = Static<typeof Quotas>
export type QuotaName = keyof Quotas
export const quotaNames = Object.keys(Quotas.properties) as QuotaName[]

export const QuotasUpdate = named(
  'QuotasUpdate',
  {},
  {
    requests_per_minute: orNull(`${descriptions.requests_per_minute} Null: the default.`),
    concurrent_requests: orNull(`${descriptions.concurrent_requests} Null: the default.`),
    stored_bytes: orNull(`${descriptions.stored_bytes} Null: the default.`),
    documents: orNull(`${descriptions.documents} Null: the default.`),
  },
)
export type QuotasUpdate = Static<typeof QuotasUpdate>
