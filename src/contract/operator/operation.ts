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
  ['Work', 'What waits for the forwarder, and who looks after it.'],
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

/**
 * Of an operation that is not about the account in its path: `own_accounts`, it has to do with the accounts that the operator works for;
 * `no_account`, it reveals nothing about customers; `all_accounts`, it concerns all of them, and an operator who works for some is refused.
 */
type Covering =
  | { path: `${string}{account}${string}`; covers?: undefined }
  | { covers: 'own_accounts' | 'no_account' | 'all_accounts' }

export type OperatorOperation = Covering &
  Operation & {
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
    /** A file is recorded in the audit log of the account, or else of the forwarder, as a download or as this. */
    audit?: 'export'
    /** A read that may wait for changes: it is given a signal, and sees no snapshot. */
    isFeed?: true
    /** A read, though not a `GET`: what it is given is too long for an address. It sees no snapshot. */
    readsOnly?: true
    /** The use case itself records the operation in the audit log, or there is nothing to record. */
    recordsAudit?: true
    /** The response contains a key: it is stored encrypted for retries. */
    containsSecret?: true
    /** Of people, who sign in: a proof of who they are within the last 10 minutes, as at the portal. */
    requiresReauthentication?: true
  }

/** Imports, messages and reads take none: repeating them changes nothing. */
export function takesIdempotencyKey({ method, accepts, readsOnly }: OperatorOperation): boolean {
  return method !== 'GET' && accepts !== 'lines' && accepts !== 'message' && !readsOnly
}

export function operatorRefusalsOf(operation: OperatorOperation): RefusalCode[] {
  const isInAccount = operation.path.includes('{account}')
  const inAccount: RefusalCode[] = isInAccount ? ['account_not_found'] : []
  const limited: RefusalCode[] = operation.covers === 'all_accounts' ? ['limited_to_accounts'] : []
  const stores: RefusalCode[] = isInAccount && operation.method !== 'GET' ? ['quota_exceeded'] : []
  const writes: RefusalCode[] = takesIdempotencyKey(operation) ? ['idempotency_key_reused'] : []
  const codes = [
    ...operation.refusals,
    ...inAccount,
    ...limited,
    ...stores,
    ...refusalsAnywhere,
    'insufficient_role' as const,
    ...ofSessions(operation),
    ...writes,
    ...(takesIdempotencyKey(operation) ? refusalsWithBody : []),
    ...(operation.readsOnly ? refusalsWithBody.filter((code) => code !== 'idempotency_key_reused') : []),
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
