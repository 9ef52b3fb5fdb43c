import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { createSession, type SignedInWith } from '../../store/sessions.js'
import type { NewSession } from '../portal-context.js'
import { newToken } from './passwords.js'

export async function startSession(
  db: Database,
  account: AccountId,
  person_id: string,
  signed_in_with: SignedInWith,
): Promise<NewSession> {
  const token = newToken()
  const isStarted = await createSession(db, account, person_id, { token, signed_in_with })
  if (!isStarted) throw new Refusal('account_suspended')
  return { token }
}
