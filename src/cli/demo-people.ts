import { hashPassword } from '../portal-api/passwords.js'
import { newPersonId } from '../portal-api/session.js'
import { findAccount } from '../storage/accounts.js'
import type { Database } from '../storage/database.js'
import { createPerson, listPeople } from '../storage/people.js'
import { transaction } from '../storage/transaction.js'

/** Who the sandbox's portal can be tried as. The first is signed in by a click. */
export const demoPeople = [
  { account: 'demo', email: 'demo@waybill.example', name: 'Dana Demo', role: 'admin' },
  { account: 'demo', email: 'member@waybill.example', name: 'Milo Member', role: 'member' },
  { account: 'demo', email: 'viewer@waybill.example', name: 'Vera Viewer', role: 'viewer' },
  { account: 'demo-second', email: 'second@waybill.example', name: 'Sami Second', role: 'admin' },
  { account: 'demo-empty', email: 'empty@waybill.example', name: 'Elin Empty', role: 'admin' },
] as const

export const demoPassword = 'waybill-sandbox'

/** Once: an account that has people is left as it is. */
export async function makeDemoPeople(db: Database): Promise<void> {
  let password_hash: string | undefined
  for (const slug of new Set(demoPeople.map(({ account }) => account))) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    if ((await listPeople(db, account)).length > 0) continue
    password_hash ??= await hashPassword(demoPassword)
    for (const { email, name, role } of demoPeople.filter((person) => person.account === slug)) {
      const person = { person_id: newPersonId(), email, name, role, password_hash }
      await transaction(db, account, 'sandbox', (tx) => createPerson(tx, account, person))
    }
  }
}
