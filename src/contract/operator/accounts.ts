import { type Static, Type } from 'typebox'
import { AccountData, Slug } from '../import-line.js'
import { scopes } from '../public/operations.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { Quotas, QuotasUpdate } from './quotas.js'
import { Reason } from './version.js'

/** The forwarder's customers, and the keys of their systems. */

export const operatorRoles = ['admin', 'operations', 'finance', 'viewer'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export const Operator = named(
  'Operator',
  { operator_id: Identifier, name: Type.String(), role: oneOf(operatorRoles) },
  { expires_at: DateWithTime },
)
export type Operator = Static<typeof Operator>

export const AccountCreate = named('AccountCreate', { slug: Slug, name: AccountData.properties.name })

export const AccountUpdate = named(
  'AccountUpdate',
  {},
  {
    name: AccountData.properties.name,
    suspended: Type.Boolean({ description: 'Whether the account is suspended: its keys do not work.' }),
    quotas: QuotasUpdate,
    reason: Reason,
  },
)

const count = Type.Integer({ minimum: 0 })

export const Account = named(
  'Account',
  {
    slug: Slug,
    name: Type.String(),
    created_at: DateWithTime,
    suspended: Type.Boolean(),
    quotas: Quotas,
    stored_bytes: Type.Integer({
      minimum: 0,
      description: 'Bytes of all versions of its records and documents.',
    }),
    counts: closed({
      shipments: count,
      purchase_orders: count,
      locations: count,
      invoices: count,
      documents: count,
      keys: count,
    }),
  },
  { suspended_at: DateWithTime },
)
export type Account = Static<typeof Account>

const keyFields = { name: Type.String({ minLength: 1, maxLength: 255 }), expires_at: DateWithTime }
const Scopes = Type.Array(oneOf(scopes as ['read', 'write']), { minItems: 1, maxItems: 2 })

export const KeyCreate = named('KeyCreate', {}, { ...keyFields, scopes: Scopes })

export const Key = named(
  'Key',
  {
    key_id: Identifier,
    scopes: Scopes,
    ends_in: Type.String({ description: 'The last characters of the key.' }),
    created_at: DateWithTime,
  },
  { ...keyFields, revoked_at: DateWithTime },
)
export type Key = Static<typeof Key>

export const CreatedKey = named('CreatedKey', {
  key_id: Identifier,
  key: Type.String({ description: 'The key. It is shown only once.' }),
})
