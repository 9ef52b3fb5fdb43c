import { type Static, Type } from 'typebox'
import { AccountData, Slug } from '../import-line.js'
import { Email } from '../portal/people.js'
import { scopes } from '../public/operations.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { Quotas, QuotasUpdate } from './quotas.js'
import { Reason } from './version.js'

/** The forwarder's customers, and the keys of their systems. */

export const operatorRoles = ['admin', 'operations', 'finance', 'viewer'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** The accounts of an operator. */
export const OwnAccounts = Type.Array(Slug, {
  minItems: 1,
  maxItems: 1000,
  uniqueItems: true,
  description: 'The short names of the accounts that the operator works for, and sees. Absent: all of them.',
})

export const Operator = named(
  'Operator',
  { operator_id: Identifier, name: Type.String(), role: oneOf(operatorRoles) },
  { accounts: OwnAccounts, expires_at: DateWithTime },
)
export type Operator = Static<typeof Operator>

export const AccountCreate = named('AccountCreate', { slug: Slug, name: AccountData.properties.name })

export const MaxKeyDays = Type.Integer({
  minimum: 1,
  maximum: 3650,
  description: 'New keys must expire within this many days; absent: they need not expire.',
})

const OverShipmentPercent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'By how many percent the quantity that is assigned to shipments may exceed the ordered one.',
})

export const AccountUpdate = named(
  'AccountUpdate',
  {},
  {
    name: AccountData.properties.name,
    suspended: Type.Boolean({ description: 'Whether the account is suspended: its keys do not work.' }),
    second_factor_required: Type.Boolean({
      description: 'Whether users of the portal who sign in with a password need a second factor.',
    }),
    provider_only: Type.Boolean({
      description: "Whether users may sign in with the company's provider only. Other sessions end.",
    }),
    max_key_days: Type.Union([MaxKeyDays, Type.Null()], {
      description: 'New keys must expire within this many days; null: they need not expire.',
    }),
    over_shipment_percent: OverShipmentPercent,
    quotas: QuotasUpdate,
    reason: Reason,
  },
)

export const FactorRemoval = named('FactorRemoval', { email: Email }, { reason: Reason })
export const RemovedFactors = named('RemovedFactors', {
  email: Type.String(),
  removed: Type.Boolean({ description: 'Whether the account has such a user, who had second factors.' }),
})

const count = Type.Integer({ minimum: 0 })

export const Account = named(
  'Account',
  {
    slug: Slug,
    name: Type.String(),
    created_at: DateWithTime,
    suspended: Type.Boolean(),
    second_factor_required: Type.Boolean(),
    provider_only: Type.Boolean(),
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
  { suspended_at: DateWithTime, max_key_days: MaxKeyDays, over_shipment_percent: OverShipmentPercent },
)
export type Account = Static<typeof Account>

const Networks = Type.Array(Type.String({ minLength: 2, maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Addresses and networks (CIDR) that the key works from, such as `203.0.113.0/24` or `2001:db8::/32`.',
})
const keyFields = { name: Type.String({ minLength: 1, maxLength: 255 }), expires_at: DateWithTime, networks: Networks }
const Scopes = Type.Array(oneOf(scopes), {
  minItems: 1,
  maxItems: scopes.length,
  description: '`read` and `write` cover all resources; the others one each.',
})

export const KeyCreate = named('KeyCreate', {}, { ...keyFields, scopes: Scopes })

export const Key = named(
  'Key',
  {
    key_id: Identifier,
    scopes: Scopes,
    ends_in: Type.String({ description: 'The last characters of the key.' }),
    created_at: DateWithTime,
  },
  {
    ...keyFields,
    revoked_at: DateWithTime,
    created_by: Type.String({
      description: 'Who created it: `person:` or `operator:` and an identifier, or `command-line`.',
    }),
    created_by_name: Type.String({ description: 'The name of its maker at that time.' }),
    owner: Type.String({ description: 'Who is responsible: its maker, or whom it was handed over to.' }),
    replaces: Type.String({ description: 'The key that it replaces.' }),
  },
)
export type Key = Static<typeof Key>

export const CreatedKey = named('CreatedKey', {
  key_id: Identifier,
  key: Type.String({ description: 'The key. It is shown only once.' }),
})

export const KeyRotation = named(
  'KeyRotation',
  {},
  {
    old_until: Type.Unsafe<string>({
      ...DateWithTime,
      description: 'Until when the old key works; by default for 24 hours, at most 30 days.',
    }),
    expires_at: DateWithTime,
  },
)
