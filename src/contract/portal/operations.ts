import { type Static, Type } from 'typebox'
import type { PartOf } from '../operation.js'
import { closed, Identifier, oneOf } from '../schema.js'
import { calendarOperations } from './calendars.js'
import { conversationOperations } from './conversations.js'
import { factorOperations } from './factor-operations.js'
import { keyOperations } from './key-operations.js'
import { listOperations } from './list-operations.js'
import { notificationOperations } from './notifications.js'
import type { PortalOperation } from './operation.js'
import { Accepted, Invitation, Person, RoleUpdate } from './people.js'
import { publicTrackingOperations } from './public-tracking.js'
import { sharedShipmentOperations } from './shared-shipment.js'
import { signInOperations } from './sign-in-operations.js'
import { supplierOperations } from './supplier-operations.js'
import { viewOperations } from './view-operations.js'

/** All operations of the portal's interface: this table, and those of signing in, keys and lists. Everything else goes through /v1. */

const person = closed({ person_id: Identifier })

const generalOperations = {
  listPeople: {
    method: 'GET',
    path: '/portal/v1/people',
    tag: 'People',
    access: 'read',
    summary: 'List the users of the account, by name',
    success: { status: 200, body: Type.Array(Person) },
    refusals: [],
  },
  invitePerson: {
    method: 'POST',
    path: '/portal/v1/people',
    tag: 'People',
    access: 'administer',
    requiresReauthentication: true,
    summary: 'Invite a user by e-mail',
    body: Invitation,
    success: { status: 201, body: Person },
    refusals: ['person_exists'],
  },
  inviteAgain: {
    method: 'POST',
    path: '/portal/v1/people/{person_id}/invitation',
    tag: 'People',
    access: 'administer',
    requiresReauthentication: true,
    summary: 'Send an invitation again; the earlier link stops working',
    params: person,
    success: { status: 200, body: Person },
    refusals: ['person_not_found'],
  },
  updateRole: {
    method: 'PATCH',
    path: '/portal/v1/people/{person_id}',
    tag: 'People',
    access: 'administer',
    requiresReauthentication: true,
    summary: 'Change the role of a user, or disable them',
    params: person,
    body: RoleUpdate,
    success: { status: 200, body: Person },
    refusals: ['person_not_found', 'last_admin'],
  },
  removePerson: {
    method: 'DELETE',
    path: '/portal/v1/people/{person_id}',
    tag: 'People',
    access: 'administer',
    requiresReauthentication: true,
    summary: 'Remove a user: their sessions end immediately, their keys end or are handed over',
    params: person,
    query: closed(
      {},
      {
        keys: oneOf(['revoke', 'hand_over'], {
          description:
            'What becomes of the keys that the user is responsible for: they end, or the caller takes them over.',
        }),
      },
    ),
    success: { status: 200, body: Accepted },
    refusals: ['person_not_found', 'last_admin', 'keys_undecided'],
  },
} as const satisfies Record<string, PortalOperation>

export const portalOperations = {
  ...signInOperations,
  ...factorOperations,
  ...generalOperations,
  ...viewOperations,
  ...keyOperations,
  ...listOperations,
  ...notificationOperations,
  ...supplierOperations,
  ...calendarOperations,
  ...conversationOperations,
  ...publicTrackingOperations,
  ...sharedShipmentOperations,
}

export type PortalOperations = typeof portalOperations
export type PortalOperationName = keyof PortalOperations
export const portalOperationNames = Object.keys(portalOperations) as PortalOperationName[]

export type PortalParams<Name extends PortalOperationName> = PartOf<PortalOperations[Name], 'params'>
export type PortalQuery<Name extends PortalOperationName> = PartOf<PortalOperations[Name], 'query'>
export type PortalBody<Name extends PortalOperationName> = PartOf<PortalOperations[Name], 'body'>
export type PortalResponse<Name extends PortalOperationName> = Static<PortalOperations[Name]['success']['body']>
