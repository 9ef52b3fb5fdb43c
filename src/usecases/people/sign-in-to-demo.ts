import { Refusal } from '../../contract/refusals.js'
import { findAccountRow } from '../../store/accounts.js'
import { listPersonRows } from '../../store/people.js'
import type { PortalHandler } from '../portal-context.js'
import { startSession } from './session.js'

/** Signs in to the sandbox's account without a password. */
export const signInToDemo: PortalHandler<'signInToDemo'> = async ({ db, demoAccount, client }) => {
  const account = demoAccount === undefined ? undefined : await findAccountRow(db, demoAccount)
  const people = account ? await listPersonRows(db, account.account_id) : []
  // The first admin: others may have been invited since.
  const [person] = people
    .filter(({ role, disabled_at }) => role === 'admin' && disabled_at === null)
    .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
  if (!account || !person) throw new Refusal('sign_in_failed', 'Signing in without a password is not available.')
  return startSession(db, account.account_id, person.person_id, 'demo', client)
}
