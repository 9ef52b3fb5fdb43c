import type { Person, PersonRole } from '../../../../src/contract/portal/people.js'

export const roles: PersonRole[] = ['admin', 'member', 'viewer']

/** Whether the account would have no admin without this person, which the server refuses. */
export function isLastAdmin(person: Person, people: Person[]): boolean {
  const isAdmin = ({ role, status }: Person) => role === 'admin' && status !== 'disabled'
  return isAdmin(person) && !people.some((other) => isAdmin(other) && other.person_id !== person.person_id)
}
