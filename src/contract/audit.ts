import { type Static, Type } from 'typebox'
import { take } from './operation.js'
import { DateWithTime } from './public/shared-types.js'
import { closed, Identifier, named, oneOf } from './schema.js'

/** The audit log: who did what, when and from where. */

/** The actions of each kind of entry. */
export const auditActions = {
  sign_in: [
    'signed_in',
    'sign_in_failed',
    'signed_out',
    'reset_requested',
    'password_changed',
    'sessions_ended',
    'reauthenticated',
    'reauthentication_failed',
  ],
  second_factor: ['factor_added', 'factor_removed', 'recovery_codes_created', 'recovery_code_used'],
  person: [
    'person_invited',
    'invitation_repeated',
    'person_joined',
    'person_disabled',
    'person_enabled',
    'person_removed',
  ],
  role: ['role_changed', 'accounts_changed'],
  key: ['key_created', 'key_rotated', 'key_revoked', 'key_handed_over'],
  export: ['exported'],
  download: ['downloaded'],
  proposal: ['document_proposed', 'supplier_invited', 'supplier_link_revoked', 'supplier_link_opened'],
  sharing: ['shipment_shared', 'shared_link_revoked', 'shared_link_opened'],
  calendar: ['calendar_created', 'calendar_removed'],
  webhook: [
    'webhook_created',
    'webhook_changed',
    'webhook_removed',
    'webhook_paused',
    'webhook_resumed',
    'webhook_disabled',
    'webhook_secret_rotated',
    'webhook_replayed',
  ],
  setting: ['setting_changed', 'account_created', 'account_updated'],
  operator: ['operator_acted', 'imported', 'operator_created', 'operator_revoked', 'viewing_started', 'viewing_ended'],
} as const satisfies Record<string, string[]>
export type AuditKind = keyof typeof auditActions
export type AuditAction = (typeof auditActions)[AuditKind][number]
export const auditKinds = Object.keys(auditActions) as AuditKind[]

export const AuditEntry = named(
  'AuditEntry',
  {
    entry_id: Identifier,
    at: DateWithTime,
    kind: oneOf(auditKinds as [AuditKind, ...AuditKind[]]),
    action: oneOf(Object.values(auditActions).flat() as unknown as [AuditAction, ...AuditAction[]]),
    actor: Type.String({
      description:
        'Who: `person:`, `operator:` or `key:` and an identifier; `command-line`; `link`: whoever had the link of a document; `supplier:` and an identifier: whoever had the link for a supplier; `shared:` and an identifier: whoever had the link of a shared shipment; `visitor`: somebody who is not signed in.',
    }),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'What else is known about the act.' }),
  },
  {
    actor_name: Type.String({ description: 'The name of the actor at that time.' }),
    address: Type.String({ description: 'The IP address of the client.' }),
    subject: Type.String({ description: 'Identifies what it was done to: a user, a key, a document.' }),
  },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditEntries = named(
  'AuditEntries',
  { entries: Type.Array(AuditEntry) },
  { next: Type.String({ description: 'Cursor of the next page: send it as `after`.' }) },
)
export type AuditEntries = Static<typeof AuditEntries>

const filter = {
  kind: oneOf(auditKinds as [AuditKind, ...AuditKind[]]),
  actor: Type.String({ minLength: 1, maxLength: 300, description: 'Only acts of this actor.' }),
  from: DateWithTime,
  to: DateWithTime,
}

export const auditFilter = closed({}, filter)
export type AuditFilter = Static<typeof auditFilter>

export const auditQuery = closed(
  {},
  {
    ...filter,
    after: Type.String({ maxLength: 200, description: 'Cursor: `next` of the previous page.' }),
    take: take(200, { default: 50 }),
  },
)
