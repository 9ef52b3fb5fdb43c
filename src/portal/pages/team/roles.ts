import type { Person, PersonRole } from '../../../contract/portal/people.js'

export const roles: PersonRole[] = ['admin', 'member', 'viewer']

/** Whether nobody else could administer the account: the service refuses to let it come to that. */
export function isLastAdmin(person: Person, people: Person[]): boolean {
  const isAdmin = ({ role, status }: Person) => role === 'admin' && status !== 'disabled'
  return isAdmin(person) && !people.some((other) => isAdmin(other) && other.person_id !== person.person_id)
}
