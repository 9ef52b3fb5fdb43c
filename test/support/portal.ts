import type { PersonRole } from '../../src/contract/portal/people.js'
import { newPerson as newSignedInPerson } from './person.js'
import type { RunningService } from './service.js'

/** A signed-in user of an account. */
export type TestPerson = Awaited<ReturnType<typeof newPerson>>

export async function newPerson(service: RunningService, account: { id: number }, role: PersonRole = 'admin') {
  const person = await newSignedInPerson(service, account, role)
  return { ...person, ask: person.portal }
}
