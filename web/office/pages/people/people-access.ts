import type { OperatorRole } from '../../../../src/contract/operator/accounts.js'
import type { Language, Person, PersonRole } from '../../../../src/contract/portal/people.js'
import { ops } from '../../api/ops.js'

/** How people are read and changed: the users of a customer, or the forwarder's own. */

export type Role = PersonRole | OperatorRole
export type Member = Omit<Person, 'role'> & { role: Role; accounts?: string[] }
export type Invited = Member & { link?: string }
export type LeftKeys = 'revoke' | 'hand_over'

export type PeopleAccess = {
  /** Names the draft of the invitation. */
  name: string
  roles: readonly Role[]
  invite(body: { name: string; email: string; role: Role; language: Language }): Promise<Invited>
  inviteAgain(person_id: string): Promise<Invited>
  update(person_id: string, body: { role?: Role; disabled?: boolean }): Promise<unknown>
  remove(person_id: string, keys: LeftKeys): Promise<unknown>
  endSessions?(person_id: string): Promise<{ sessions: number }>
  /** Staff alone work for some customers, or for all. */
  limit?(person_id: string, accounts: string[] | null): Promise<unknown>
  removeFactors?(email: string): Promise<unknown>
}

export function customerPeople(account: string): PeopleAccess {
  const of = (person_id: string) => ({ account, person_id })
  return {
    name: `people ${account}`,
    roles: ['admin', 'member', 'viewer'],
    invite: (body) =>
      ops.inviteAccountPerson({ params: { account }, body: { ...body, role: body.role as PersonRole } }),
    inviteAgain: (person_id) => ops.inviteAccountPersonAgain({ params: of(person_id) }),
    update: (person_id, { role, ...body }) =>
      ops.updateAccountPerson({
        params: of(person_id),
        body: { ...body, ...(role !== undefined && { role: role as PersonRole }) },
      }),
    remove: (person_id, keys) => ops.removeAccountPerson({ params: of(person_id), query: { keys } }),
    removeFactors: (email) => ops.removeFactors({ params: { account }, body: { email } }),
  }
}

export const staffPeople: PeopleAccess = {
  name: 'staff',
  roles: ['admin', 'operations', 'finance', 'viewer'],
  invite: (body) => ops.inviteStaff({ body: { ...body, role: body.role as OperatorRole } }),
  inviteAgain: (person_id) => ops.inviteStaffAgain({ params: { person_id } }),
  update: (person_id, { role, ...body }) =>
    ops.updateStaff({
      params: { person_id },
      body: { ...body, ...(role !== undefined && { role: role as OperatorRole }) },
    }),
  remove: (person_id) => ops.removeStaff({ params: { person_id } }),
  limit: (person_id, accounts) => ops.updateStaff({ params: { person_id }, body: { accounts } }),
  endSessions: (person_id) => ops.endStaffSessions({ params: { person_id } }),
}
