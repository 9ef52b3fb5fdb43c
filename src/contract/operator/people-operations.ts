import { type Static, Type } from 'typebox'
import { Accepted, Email, Invitation, languages, Person, PersonName, RoleUpdate } from '../portal/people.js'
import { DateWithTime } from '../public/shared-types.js'
import { closed, Identifier, named, oneOf } from '../schema.js'
import { OwnAccounts, operatorRoles } from './accounts.js'
import type { OperatorOperation } from './operation.js'
import { accountParam, inAccount } from './version.js'

/** The users of accounts, and the forwarder's own people. */

const link = Type.String({
  description: 'Where they choose a password, if the service sends no mails: pass it on. It is shown only once.',
})

const { last_seen_at, ...personFields } = Person.properties

const InvitedPerson = named('InvitedPerson', personFields, { last_seen_at, link })

const { role: _role, ...staffFields } = personFields
export const StaffMember = named(
  'StaffMember',
  { ...staffFields, role: oneOf(operatorRoles) },
  { accounts: OwnAccounts, last_seen_at },
)
export type StaffMember = Static<typeof StaffMember>

const InvitedStaff = named(
  'InvitedStaff',
  { ...staffFields, role: oneOf(operatorRoles) },
  { accounts: OwnAccounts, last_seen_at, link },
)

const StaffInvitation = named(
  'StaffInvitation',
  { email: Email, name: PersonName, role: oneOf(operatorRoles) },
  { language: oneOf(languages), accounts: OwnAccounts },
)
const StaffUpdate = named(
  'StaffUpdate',
  {},
  {
    role: oneOf(operatorRoles),
    disabled: Type.Boolean(),
    accounts: Type.Union([OwnAccounts, Type.Null()], {
      description: 'The short names of the accounts that they work for; null: all of them.',
    }),
  },
)

const EndedSessions = named('EndedSessions', {
  sessions: Type.Integer({ minimum: 0, description: 'How many sessions ended.' }),
})

const Viewing = named('Viewing', {
  url: Type.String({ description: 'Opens the portal, once, within a minute.' }),
  expires_at: DateWithTime,
})

const ofAccount = closed({ ...accountParam, person_id: Identifier })
const ofStaff = closed({ person_id: Identifier })
const leftKeys = closed(
  {},
  {
    keys: oneOf(['revoke', 'hand_over'], {
      description:
        'What becomes of the keys that the user is responsible for: they end, or the caller takes them over.',
    }),
  },
)

const administered = { right: 'administer', requiresReauthentication: true, recordsAudit: true } as const

export const peopleOperations = {
  listAccountPeople: {
    method: 'GET',
    path: '/ops/v1/accounts/{account}/people',
    tag: 'Accounts',
    right: 'read',
    summary: 'List the users of an account, by name',
    params: inAccount,
    success: { status: 200, body: Type.Array(Person) },
    refusals: [],
  },
  inviteAccountPerson: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/people',
    tag: 'Accounts',
    ...administered,
    containsSecret: true,
    summary: 'Invite a user to an account by e-mail',
    params: inAccount,
    body: Invitation,
    success: { status: 201, body: InvitedPerson },
    refusals: ['person_exists'],
  },
  inviteAccountPersonAgain: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/people/{person_id}/invitation',
    tag: 'Accounts',
    ...administered,
    containsSecret: true,
    summary: 'Send the invitation of a user again; the earlier link stops working',
    params: ofAccount,
    success: { status: 200, body: InvitedPerson },
    refusals: ['person_not_found'],
  },
  updateAccountPerson: {
    method: 'PATCH',
    path: '/ops/v1/accounts/{account}/people/{person_id}',
    tag: 'Accounts',
    ...administered,
    summary: 'Change the role of a user, or disable them',
    params: ofAccount,
    body: RoleUpdate,
    success: { status: 200, body: Person },
    refusals: ['person_not_found'],
  },
  removeAccountPerson: {
    method: 'DELETE',
    path: '/ops/v1/accounts/{account}/people/{person_id}',
    tag: 'Accounts',
    ...administered,
    summary: 'Remove a user, or revoke an invitation: sessions and links end immediately',
    params: ofAccount,
    query: leftKeys,
    success: { status: 200, body: Accepted },
    refusals: ['person_not_found', 'keys_undecided'],
  },
  startViewing: {
    method: 'POST',
    path: '/ops/v1/accounts/{account}/people/{person_id}/viewing',
    tag: 'Accounts',
    right: 'operate',
    requiresReauthentication: true,
    recordsAudit: true,
    containsSecret: true,
    summary: "See the portal as a user does, read-only, for an hour; the account's audit log has it",
    params: ofAccount,
    success: { status: 201, body: Viewing },
    refusals: ['person_not_found', 'person_not_viewable'],
  },
  listStaff: {
    method: 'GET',
    path: '/ops/v1/staff',
    covers: 'no_account',
    tag: 'Operators',
    right: 'read',
    summary: "List the forwarder's people who sign in at the office, by name",
    success: { status: 200, body: Type.Array(StaffMember) },
    refusals: [],
  },
  inviteStaff: {
    method: 'POST',
    path: '/ops/v1/staff',
    covers: 'all_accounts',
    tag: 'Operators',
    ...administered,
    containsSecret: true,
    summary: 'Invite somebody to the office by e-mail',
    body: StaffInvitation,
    success: { status: 201, body: InvitedStaff },
    refusals: ['person_exists'],
  },
  inviteStaffAgain: {
    method: 'POST',
    path: '/ops/v1/staff/{person_id}/invitation',
    covers: 'all_accounts',
    tag: 'Operators',
    ...administered,
    containsSecret: true,
    summary: 'Send an invitation to the office again; the earlier link stops working',
    params: ofStaff,
    success: { status: 200, body: InvitedStaff },
    refusals: ['person_not_found'],
  },
  updateStaff: {
    method: 'PATCH',
    path: '/ops/v1/staff/{person_id}',
    covers: 'all_accounts',
    tag: 'Operators',
    ...administered,
    summary: "Change the role of one of the forwarder's people or the accounts they work for, or disable them",
    params: ofStaff,
    body: StaffUpdate,
    success: { status: 200, body: StaffMember },
    refusals: ['person_not_found', 'last_admin'],
  },
  removeStaff: {
    method: 'DELETE',
    path: '/ops/v1/staff/{person_id}',
    covers: 'all_accounts',
    tag: 'Operators',
    ...administered,
    summary: "Remove one of the forwarder's people, or revoke an invitation: sessions and links end immediately",
    params: ofStaff,
    success: { status: 200, body: Accepted },
    refusals: ['person_not_found', 'last_admin'],
  },
  endStaffSessions: {
    method: 'DELETE',
    path: '/ops/v1/staff/{person_id}/sessions',
    covers: 'all_accounts',
    tag: 'Operators',
    ...administered,
    summary: "End all sessions of one of the forwarder's people",
    params: ofStaff,
    success: { status: 200, body: EndedSessions },
    refusals: ['person_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>
