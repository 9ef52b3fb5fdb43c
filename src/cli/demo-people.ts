import type { OperatorRole } from '../contract/operator/accounts.js'
import { type AccountId, forwarderAccount } from '../database/account-id.js'
import type { Database } from '../database/database.js'
import { commit } from '../ledger/commit.js'
import { findAccount, saveForwarderAccount } from '../store/accounts.js'
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

/** The forwarder's people, one for each role. */
export const demoStaff = [
  { email: 'office@waybill.example', name: 'Odile Office', role: 'admin' },
  { email: 'operations@waybill.example', name: 'Omar Operations', role: 'operations' },
  { email: 'finance@waybill.example', name: 'Fiona Finance', role: 'finance' },
  { email: 'reader@waybill.example', name: 'Rosa Reader', role: 'viewer' },
] as const satisfies { email: string; name: string; role: OperatorRole }[]

export const demoPassword = 'waybill-sandbox'

type DemoPerson = (typeof demoPeople | typeof demoStaff)[number]

/** Creates the demo people in accounts that have none, and those of the forwarder. */
export async function createDemoPeople(db: Database, forwarderName: string): Promise<void> {
  let password_hash: string | undefined
  const create = async (account: AccountId, people: readonly DemoPerson[]) => {
    if ((await listPersonRows(db, account)).length > 0) return
    password_hash ??= await hashPassword(demoPassword)
    for (const { email, name, role } of people) {
      const person = { person_id: newPersonId(), email, name, role, password_hash }
      await commit(db, account, 'sandbox', (tx) => createPerson(tx, account, person))
    }
  }
  for (const slug of new Set(demoPeople.map(({ account }) => account))) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    await create(
      account,
      demoPeople.filter((person) => person.account === slug),
    )
  }
  await saveForwarderAccount(db, forwarderName)
  await create(forwarderAccount, demoStaff)
}
