import type { Language, PersonRole } from '../contract/portal/people.js'
import { Refusal } from '../contract/refusals.js'
import type { Database } from '../storage/database.js'
import { changePerson, createPerson, findPerson, type PersonRow } from '../storage/people.js'
import { createLink } from '../storage/personal-links.js'
import { endSessions } from '../storage/sessions.js'
import { type AccountId, type Transaction, transaction } from '../storage/transaction.js'
import { newToken } from './passwords.js'
import { newPersonId } from './session.js'

/** Who belongs to an account: what its admins decide in the portal, and the forwarder from the command line. */

export type Invited = { email: string; name: string; role: PersonRole; language?: Language | undefined }

/** Makes somebody a person of the account, who chooses a password by a link that holds the token. */
export async function invite(
  db: Database,
  account: AccountId,
  given: Invited,
  author = 'command-line',
): Promise<{ person: PersonRow; token: string }> {
  const person_id = newPersonId()
  const token = newToken()
  const person = await transaction(db, account, author, async (tx) => {
    if (!(await createPerson(tx, account, { ...given, person_id }))) throw new Refusal('person_exists')
    await createLink(tx.sql, account, person_id, { token, purpose: 'invitation' })
    return getPerson(tx, account, person_id)
  })
  return { person, token }
}

/** Whether somebody may sign in at all. Whoever no longer may is signed out at once, everywhere. */
export async function setDisabled(
  db: Database,
  account: AccountId,
  person_id: string,
  disabled: boolean,
  author = 'command-line',
): Promise<void> {
  await transaction(db, account, author, (tx) => changeMembership(tx, account, person_id, { disabled }))
}

export async function changeMembership(
  tx: Transaction,
  account: AccountId,
  person_id: string,
  change: { role?: PersonRole | undefined; disabled?: boolean | undefined },
): Promise<void> {
  await changePerson(tx, account, person_id, change)
  if (change.disabled) await endSessions(tx.sql, account, person_id)
}

export async function getPerson(tx: Transaction, account: AccountId, person_id: string): Promise<PersonRow> {
  const person = await findPerson(tx.sql, account, person_id)
  if (!person) throw new Refusal('person_not_found')
  return person
}
