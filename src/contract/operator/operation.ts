import { type Operation, refusalsAnywhere, refusalsWithBody } from '../operation.js'
import type { RefusalCode } from '../refusals.js'
import type { Right } from './rights.js'

export const operatorTags = [
  ['Operators', 'The calling operator.'],
  ['Accounts', 'The customers of the forwarder, and the keys of their systems.'],
  ['Locations', 'Pick-up and delivery locations.'],
  ['Shipments', 'Shipments and their statuses.'],
  ['Purchase orders', 'Orders of customers, and their assignment to shipments.'],
  ['Tracking', 'The plan, events and positions of a shipment.'],
  ['Free time', 'Until when containers are free of charge: rules, calendars, and what was given.'],
  ['Exceptions', 'What needs attention, and the rules by which it is found.'],
  ['Messages', 'Messages of carriers and others about shipments.'],
  ['Conversations', 'Messages between customers and the forwarder about shipments and orders.'],
  ['Feeds', 'The connections to carriers by which messages come in.'],
  ['Invoices', 'Invoices, credit notes and payments.'],
  ['Billing', 'Settings of invoicing, templates, checks, and what is outstanding.'],
  ['Documents', 'Documents and their content.'],
  ['History', 'All versions of a resource, with author and time.'],
  ['Events', 'What changed, over all accounts.'],
  ['Audit log', 'Who did what, when and from where.'],
  ['Import', 'Bulk import.'],
] as const

export type OperatorOperation = Operation & {
  tag: (typeof operatorTags)[number][0]
  right: Right
  /** Format of the request body, if not JSON. */
  accepts?: 'form' | 'lines' | 'message'
  /** A message may have no bytes. */
  mayBeEmpty?: true
  /** The limit of the body, if it is not the usual one. */
  maxBytes?: number
  /** Format of the response, if not JSON. */
  returns?: 'file'
  /** A file is recorded in the audit log as a download, or as this. */
  audit?: 'export'
  /** A read that may wait for changes: it is given a signal, and sees no snapshot. */
  isFeed?: true
  /** The use case itself records the operation in the audit log, or there is nothing to record. */
  recordsAudit?: true
  /** The response contains a key: it is stored encrypted for retries. */
  containsSecret?: true
  /** Of people, who sign in: a proof of who they are within the last 10 minutes, as at the portal. */
  requiresReauthentication?: true
}

/** Imports and messages take none: repeating them changes nothing. */
export function takesIdempotencyKey({ method, accepts }: OperatorOperation): boolean {
  return method !== 'GET' && accepts !== 'lines' && accepts !== 'message'
}

export function operatorRefusalsOf(operation: OperatorOperation): RefusalCode[] {
  const isInAccount = operation.path.includes('{account}')
  const inAccount: RefusalCode[] = isInAccount ? ['account_not_found'] : []
  const stores: RefusalCode[] = isInAccount && operation.method !== 'GET' ? ['quota_exceeded'] : []
  const writes: RefusalCode[] = takesIdempotencyKey(operation) ? ['idempotency_key_reused'] : []
  const codes = [
    ...operation.refusals,
    ...inAccount,
    ...stores,
    ...refusalsAnywhere,
    'insufficient_role' as const,
    ...ofSessions(operation),
    ...writes,
    ...(takesIdempotencyKey(operation) ? refusalsWithBody : []),
  ]
  return [...new Set(codes)]
}

/** Refusals of requests with a session of the office. */
function ofSessions(operation: OperatorOperation): RefusalCode[] {
  return [
    'not_signed_in',
    'enrolment_required',
    ...(operation.method === 'GET' ? [] : (['foreign_origin'] as const)),
    ...(operation.requiresReauthentication ? (['reauthentication_required'] as const) : []),
  ]
}
