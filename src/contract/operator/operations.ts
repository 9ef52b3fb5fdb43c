import { type Static, Type } from 'typebox'
import { type PartOf, skip, take } from '../operation.js'
import { UsedKey } from '../portal/keys.js'
import { Location, OwnLocationRecord } from '../public/location.js'
import { asOf } from '../public/shared-types.js'
import { closed, Identifier, named } from '../schema.js'
import {
  Account,
  AccountCreate,
  AccountUpdate,
  CreatedKey,
  FactorRemoval,
  Key,
  KeyCreate,
  KeyRotation,
  Operator,
  RemovedFactors,
} from './accounts.js'
import { auditOperations } from './audit-operations.js'
import { billingOperations } from './billing-operations.js'
import { bookingOperations } from './bookings.js'
import { brandingOperations } from './branding.js'
import { codeOperations } from './code-operations.js'
import { conversationOperations } from './conversations.js'
import { documentOperations } from './document-operations.js'
import { documentSuggestionOperations } from './document-suggestions.js'
import { eventOperations } from './event-operations.js'
import { exceptionOperations } from './exception-operations.js'
import { feedOperations } from './feed-operations.js'
import { freeTimeOperations } from './free-time-operations.js'
import { HistoryEntry, historyParams, ImportResult } from './history.js'
import { invoiceOperations } from './invoice-operations.js'
import { mailOperations } from './mails.js'
import { messageOperations } from './message-operations.js'
import type { OperatorOperation } from './operation.js'
import { peopleOperations } from './people-operations.js'
import { presenceOperations } from './presence.js'
import { proposalOperations } from './proposal-operations.js'
import { shipmentOperations } from './shipment-operations.js'
import { tableOperations } from './table-operations.js'
import { trackingOperations } from './tracking-operations.js'
import { accountParam, inAccount, Reason, versionOf } from './version.js'
import { webhookOperations } from './webhooks.js'
import { workOperations } from './work.js'

/** All operations of the operator interface: this table, and those of shipments, invoices, documents, messages and feeds. */

export const LocationVersion = versionOf('LocationVersion', OwnLocationRecord, Location)
export type LocationVersion = Static<typeof LocationVersion>

const { id: _id, retired: _retired, ...locationFields } = OwnLocationRecord.properties
const LocationCreate = named('LocationCreate', locationFields, { id: OwnLocationRecord.properties.id })
const LocationInput = named('LocationInput', locationFields)
const LocationUpdate = named('LocationUpdate', { retired: Type.Boolean() }, { reason: Reason })

const location = closed({ ...accountParam, id: Identifier })

const generalOperations = {
  getOperator: {
    method: 'GET',
    path: '/ops/v1/operator',
    covers: 'no_account',
    tag: 'Operators',
    right: 'read',
    summary: 'Get the calling operator and their role',
    success: { status: 200, body: Operator },
    refusals: [],
  },
  listAccounts: {
    method: 'GET',
    path: '/ops/v1/accounts',
    covers: 'own_accounts',
    tag: 'Accounts',
    right: 'read',
    summary: 'List accounts by short name, with counts of their resources',
    query: closed({}, { skip, take: take(1000, { default: 100 }) }),
    success: { status: 200, body: Type.Array(Account) },
    refusals: [],
  },
  createAccount: {
    method: 'POST',
    path: '/ops/v1/accounts',
    covers: 'all_accounts',
    tag: 'Accounts',
    right: 'administer',
    summary: 'Create an account',
    body: AccountCreate,
    recordsAudit: true,
    success: { status: 201, body: Account, location: '/ops/v1/accounts/{slug}' },
    refusals: ['account_exists'],
  },
  getAccount: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}',
    tag: 'Accounts',
    right: 'read',
    summary: 'Get one account, with counts of its resources',
    params: inAccount,
    success: { status: 200, body: Account },
    refusals: [],
  },
  updateAccount: {
    method: 'PATCH',
    path: '/ops/v1/accounts/{account}',
    tag: 'Accounts',
    right: 'administer',
    requiresReauthentication: true,
    summary: 'Rename an account, set its quotas and its rules for sign-in and keys, suspend it, or end its suspension',
    params: inAccount,
    body: AccountUpdate,
    recordsAudit: true,
    success: { status: 200, body: Account },
    refusals: ['provider_not_configured'],
  },
  listKeys: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/keys',
    tag: 'Accounts',
    right: 'read',
    summary: 'List the keys of an account, with their last use',
    params: inAccount,
    success: { status: 200, body: Type.Array(UsedKey) },
    refusals: [],
  },
  createKey: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/keys',
    tag: 'Accounts',
    right: 'administer',
    requiresReauthentication: true,
    summary: 'Create a key for an account; it is shown only once',
    params: inAccount,
    body: KeyCreate,
    containsSecret: true,
    recordsAudit: true,
    success: { status: 201, body: CreatedKey },
    refusals: ['too_many_keys'],
  },
  rotateKey: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/keys/{key_id}/rotation',
    tag: 'Accounts',
    right: 'administer',
    requiresReauthentication: true,
    summary: 'Replace a key by a new one, which works at once; the old one works until a chosen time',
    params: closed({ ...accountParam, key_id: Identifier }),
    body: KeyRotation,
    containsSecret: true,
    recordsAudit: true,
    success: { status: 201, body: CreatedKey },
    refusals: ['key_not_found', 'key_not_active', 'too_many_keys'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/keys/{key_id}',
    tag: 'Accounts',
    right: 'administer',
    requiresReauthentication: true,
    summary: 'Revoke a key: it stops working immediately',
    params: closed({ ...accountParam, key_id: Identifier }),
    recordsAudit: true,
    success: { status: 200, body: Key },
    refusals: ['key_not_found'],
  },
  removeFactors: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/factor-removals',
    tag: 'Accounts',
    right: 'administer',
    requiresReauthentication: true,
    recordsAudit: true,
    summary: 'Remove all second factors of a user of the portal, such as one who has lost their device',
    params: inAccount,
    body: FactorRemoval,
    success: { status: 200, body: RemovedFactors },
    refusals: [],
  },
  listLocations: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/locations',
    tag: 'Locations',
    right: 'read',
    summary: 'List locations, including retired ones',
    params: inAccount,
    query: closed({}, { skip, take: take(100, { default: 20 }), ...asOf }),
    success: { status: 200, body: Type.Array(LocationVersion) },
    refusals: [],
  },
  createLocation: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/locations',
    tag: 'Locations',
    right: 'operate',
    summary: 'Create a location; without an `id` the next free one is assigned',
    params: inAccount,
    body: LocationCreate,
    success: { status: 201, body: LocationVersion, location: '/ops/v1/accounts/{account}/locations/{id}' },
    refusals: ['location_exists'],
  },
  getLocation: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/locations/{id}',
    tag: 'Locations',
    right: 'read',
    summary: 'Get one location',
    params: location,
    query: closed({}, asOf),
    success: { status: 200, body: LocationVersion },
    refusals: ['location_not_found', 'version_not_found'],
  },
  replaceLocation: {
    method: 'PUT',
    path: '/ops/v1/accounts/{account}/locations/{id}',
    tag: 'Locations',
    right: 'operate',
    summary: 'Replace a location',
    params: location,
    body: LocationInput,
    success: { status: 200, body: LocationVersion },
    refusals: ['location_not_found'],
  },
  updateLocation: {
    method: 'PATCH',
    path: '/ops/v1/accounts/{account}/locations/{id}',
    tag: 'Locations',
    right: 'operate',
    summary: 'Retire a location, or reactivate it',
    params: location,
    body: LocationUpdate,
    success: { status: 200, body: LocationVersion },
    refusals: ['location_not_found'],
  },
  getHistory: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/history/{kind}/{id}',
    tag: 'History',
    right: 'read',
    summary: 'List the versions of a resource, newest first, and what changed in each',
    params: historyParams,
    query: closed(
      {},
      {
        before: Type.Integer({ minimum: 1, description: 'Only revisions below this one.' }),
        take: take(100, { default: 20 }),
      },
    ),
    success: { status: 200, body: Type.Array(HistoryEntry) },
    refusals: ['history_not_found'],
  },
  ...auditOperations,
  import: {
    method: 'POST',
    path: '/ops/v1/import',
    covers: 'own_accounts',
    tag: 'Import',
    right: 'administer',
    summary: 'Import lines (`docs/import.md`), all or nothing',
    accepts: 'lines',
    query: closed(
      {},
      {
        check: Type.Enum(['true', 'false'], { type: 'string', description: 'Report every error, and change nothing.' }),
        skip_invalid: Type.Enum(['true', 'false'], { type: 'string', description: 'Store the valid lines.' }),
      },
    ),
    recordsAudit: true,
    success: { status: 200, body: ImportResult },
    refusals: ['import_rejected', 'quota_exceeded', 'payload_too_large', 'unsupported_media_type'],
  },
} as const satisfies Record<string, OperatorOperation>

export const operatorOperations = {
  ...generalOperations,
  ...peopleOperations,
  ...shipmentOperations,
  ...bookingOperations,
  ...presenceOperations,
  ...trackingOperations,
  ...invoiceOperations,
  ...billingOperations,
  ...documentOperations,
  ...documentSuggestionOperations,
  ...proposalOperations,
  ...messageOperations,
  ...codeOperations,
  ...tableOperations,
  ...brandingOperations,
  ...mailOperations,
  ...conversationOperations,
  ...feedOperations,
  ...freeTimeOperations,
  ...exceptionOperations,
  ...workOperations,
  ...eventOperations,
  ...webhookOperations,
}

export type OperatorOperations = typeof operatorOperations
export type OperatorOperationName = keyof OperatorOperations
export const operatorOperationNames = Object.keys(operatorOperations) as OperatorOperationName[]

export type OperatorParams<Name extends OperatorOperationName> = PartOf<OperatorOperations[Name], 'params'>
export type OperatorQuery<Name extends OperatorOperationName> = PartOf<OperatorOperations[Name], 'query'>
export type OperatorBody<Name extends OperatorOperationName> = PartOf<OperatorOperations[Name], 'body'>
export type OperatorResponse<Name extends OperatorOperationName> = Static<OperatorOperations[Name]['success']['body']>
