import { Type } from 'typebox'
import { AuditEntries, auditFilter, auditQuery } from '../audit.js'
import type { OperatorOperation } from './operation.js'
import { inAccount } from './version.js'

export const auditOperations = {
  listAccountAudit: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/audit',
    tag: 'Audit log',
    right: 'administer',
    summary: 'List what was done in an account, newest first: when, by whom, from where',
    params: inAccount,
    query: auditQuery,
    success: { status: 200, body: AuditEntries },
    refusals: [],
  },
  exportAccountAudit: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/audit/export',
    tag: 'Audit log',
    right: 'administer',
    summary: 'Export the audit log of an account: one entry a line, as JSON',
    params: inAccount,
    query: auditFilter,
    returns: 'file',
    audit: 'export',
    success: {
      status: 200,
      body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
    },
    refusals: [],
  },
  listForwarderAudit: {
    method: 'GET',
    path: '/ops/v1/audit',
    covers: 'all_accounts',
    tag: 'Audit log',
    right: 'administer',
    summary: 'List what concerns no account, newest first: operators, new accounts, sign-ins with unknown addresses',
    query: auditQuery,
    success: { status: 200, body: AuditEntries },
    refusals: [],
  },
  exportForwarderAudit: {
    method: 'GET',
    path: '/ops/v1/audit/export',
    covers: 'all_accounts',
    tag: 'Audit log',
    right: 'administer',
    summary: 'Export what concerns no account as lines of JSON, newest first',
    query: auditFilter,
    returns: 'file',
    audit: 'export',
    // The log may be long: it is streamed, and not read within a snapshot.
    isFeed: true,
    success: {
      status: 200,
      body: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/x-ndjson' }),
    },
    refusals: [],
  },
} as const satisfies Record<string, OperatorOperation>
