import type { PersonRole } from '../../contract/portal/people.js'
import { invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { changePerson } from '../../store/people.js'
import { endSessions } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'
import { getPerson, refuseLastAdmin } from './person-record.js'
import { personResponse } from './session-response.js'

/** Changes the role of a person, or whether they can sign in. */
export const updateRole: PortalHandler<'updateRole'> = async (
  { db, account, author },
  { params: { person_id }, body },
) => {
  if (body.role === undefined && body.disabled === undefined) {
    throw invalid([{ pointer: '', detail: 'needs role or disabled' }])
  }
  return commit(db, account, author, async (tx) => {
    const person = await getPerson(tx, account, person_id)
    const losesAdmin = body.disabled === true || (body.role !== undefined && body.role !== 'admin')
    if (losesAdmin) await refuseLastAdmin(tx, account, person)
    await changeMembership(tx, account, person_id, body)
    return personResponse(await getPerson(tx, account, person_id))
  })
}

/** Enables or disables a person; a disabled person is signed out at once, everywhere. */
export async function setDisabled(
  db: Database,
  account: AccountId,
  person_id: string,
  disabled: boolean,
  author = 'command-line',
): Promise<void> {
  await commit(db, account, author, (tx) => changeMembership(tx, account, person_id, { disabled }))
}

async function changeMembership(
  tx: Transaction,
  account: AccountId,
  person_id: string,
  change: { role?: PersonRole | undefined; disabled?: boolean | undefined },
): Promise<void> {
  await changePerson(tx, account, person_id, change)
  if (change.disabled) await endSessions(tx.sql, account, person_id)
}
