import { Type } from 'typebox'
import { AuditEntries, auditFilter, auditQuery } from '../audit.js'
import { take } from '../operation.js'
import { CreatedKey, KeyCreate, KeyRotation } from '../operator/accounts.js'
import { closed, Identifier, oneOf } from '../schema.js'
import { KeyPolicy, LoggedRequests, UsedKey } from './keys.js'
import type { PortalOperation } from './operation.js'

/** The keys of the account, their requests, and the audit log. */
export const keyOperations = {
  listOwnKeys: {
    method: 'GET',
    path: '/portal/v1/keys',
    tag: 'Keys',
    access: 'write',
    summary: 'List the keys of the account, and when each was last used',
    success: { status: 200, body: Type.Array(UsedKey) },
    refusals: [],
  },
  createOwnKey: {
    method: 'POST',
    path: '/portal/v1/keys',
    tag: 'Keys',
    access: 'write',
    requiresReauthentication: true,
    summary: 'Create a key; it is shown only once',
    body: KeyCreate,
    success: { status: 201, body: CreatedKey },
    refusals: ['too_many_keys'],
  },
  rotateOwnKey: {
    method: 'POST',
    path: '/portal/v1/keys/{key_id}/rotation',
    tag: 'Keys',
    access: 'write',
    requiresReauthentication: true,
    summary: 'Replace a key by a new one, which works at once; the old one works until a chosen time',
    params: closed({ key_id: Identifier }),
    body: KeyRotation,
    success: { status: 201, body: CreatedKey },
    refusals: ['key_not_found', 'key_not_active', 'too_many_keys'],
  },
  getKeyPolicy: {
    method: 'GET',
    path: '/portal/v1/keys/policy',
    tag: 'Keys',
    access: 'write',
    summary: 'Get the rules for new keys of the account',
    success: { status: 200, body: KeyPolicy },
    refusals: [],
  },
  updateKeyPolicy: {
    method: 'PUT',
    path: '/portal/v1/keys/policy',
    tag: 'Keys',
    access: 'administer',
    requiresReauthentication: true,
    summary: 'Set the rules for new keys of the account; existing keys do not change',
    body: KeyPolicy,
    success: { status: 200, body: KeyPolicy },
    refusals: [],
  },
  revokeOwnKey: {
    method: 'DELETE',
    path: '/portal/v1/keys/{key_id}',
    tag: 'Keys',
    access: 'write',
    requiresReauthentication: true,
    summary: 'Revoke a key: it stops working immediately',
    params: closed({ key_id: Identifier }),
    success: { status: 200, body: UsedKey },
    refusals: ['key_not_found'],
  },
  listRequests: {
    method: 'GET',
    path: '/portal/v1/requests',
    tag: 'Keys',
    access: 'write',
    summary: 'List recent requests with the keys of the account, newest first',
    query: closed(
      {},
      {
        key_id: Identifier,
        outcome: oneOf(['success', 'refused', 'failed'], {
          description: 'By status: below 400, 400 to 499, or 500 and above.',
        }),
        after: Type.String({ maxLength: 200, description: 'Cursor: `next` of the previous page.' }),
        take: take(200, { default: 50 }),
      },
    ),
    success: { status: 200, body: LoggedRequests },
    refusals: [],
  },
  listAudit: {
    method: 'GET',
    path: '/portal/v1/audit',
    tag: 'Audit log',
    access: 'administer',
    summary: 'List what was done in the account, newest first: when, by whom, from where',
    query: auditQuery,
    success: { status: 200, body: AuditEntries },
    refusals: [],
  },
  exportAudit: {
    method: 'GET',
    path: '/portal/v1/audit/export',
    tag: 'Audit log',
    access: 'administer',
    summary: 'Export the audit log of the account: one entry a line, as JSON',
    query: auditFilter,
    returns: 'file',
    audit: 'export',
    success: {
      status: 200,
      body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
    },
    refusals: [],
  },
} as const satisfies Record<string, PortalOperation>
