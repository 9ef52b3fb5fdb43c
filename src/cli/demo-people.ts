import type { Database } from '../database/database.js'
import { commit } from '../ledger/commit.js'
import { findAccount } from '../store/accounts.js'
import { createPerson, listPersonRows } from '../store/people.js'
import { hashPassword } from '../usecases/people/passwords.js'
import { newPersonId } from '../usecases/people/person-record.js'

/** People of the sandbox. One click signs in the first of them. */
export const demoPeople = [
  { account: 'demo', email: 'demo@waybill.example', name: 'Dana Demo', role: 'admin' },
  { account: 'demo', email: 'member@waybill.example', name: 'Milo Member', role: 'member' },
  { account: 'demo', email: 'viewer@waybill.example', name: 'Vera Viewer', role: 'viewer' },
  { account: 'demo-second', email: 'second@waybill.example', name: 'Sami Second', role: 'admin' },
  { account: 'demo-empty', email: 'empty@waybill.example', name: 'Elin Empty', role: 'admin' },
] as const

export const demoPassword = 'waybill-sandbox'

/** Creates the demo people in accounts that have none. */
export async function createDemoPeople(db: Database): Promise<void> {
  let password_hash: string | undefined
  for (const slug of new Set(demoPeople.map(({ account }) => account))) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    if ((await listPersonRows(db, account)).length > 0) continue
    password_hash ??= await hashPassword(demoPassword)
    for (const { email, name, role } of demoPeople.filter((person) => person.account === slug)) {
      const person = { person_id: newPersonId(), email, name, role, password_hash }
      await commit(db, account, 'sandbox', (tx) => createPerson(tx, account, person))
    }
  }
}
