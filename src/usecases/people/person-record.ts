import { randomBytes } from 'node:crypto'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { Transaction } from '../../ledger/transaction.js'
import type { Actor } from '../../store/audit.js'
import { findPerson, hasOtherAdmin, type PersonRow } from '../../store/people.js'

export function newPersonId(): string {
  return `per_${randomBytes(8).toString('hex')}`
}

/** A person as an actor of the audit log, with the address of the visitor. */
export function personActor(person: { person_id: string; name: string }, { address }: Actor): Actor {
  return { actor: `person:${person.person_id}`, actor_name: person.name, address }
}

export async function getPerson(tx: Transaction, account: AccountId, person_id: string): Promise<PersonRow> {
  const person = await findPerson(tx.sql, account, person_id)
  if (!person) throw new Refusal('person_not_found')
  return person
}

/** An account always has an admin. */
export async function refuseLastAdmin(
  tx: Transaction,
  account: AccountId,
  { person_id, role, accounts }: PersonRow,
): Promise<void> {
  if (role === 'admin' && accounts === null && !(await hasOtherAdmin(tx, account, person_id)))
    throw new Refusal('last_admin')
}
