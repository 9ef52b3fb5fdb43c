import { Refusal } from '../../contract/refusals.js'
import { recordAudit } from '../../store/audit.js'
import { findPasswordHash } from '../../store/people.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import type { PersonContext } from '../portal-context.js'
import { limitAttempts } from './attempt-limits.js'
import { isPassword } from './passwords.js'

/** Refuses a wrong password of the signed-in person, and delays attempts after five of them. */
export async function verifyOwnPassword(
  { db, account, person: { person_id }, actor }: PersonContext,
  password: string,
): Promise<void> {
  const attempts = { name: `password ${person_id}`, allowed: 5 }
  await limitAttempts(db, [attempts])
  const stored = await findPasswordHash(db, account, person_id)
  if (!(await isPassword(stored, password, person_id))) {
    const details = { with: 'password' }
    await recordAudit(db, account, actor, { kind: 'sign_in', action: 'reauthentication_failed', details })
    throw new Refusal('wrong_password')
  }
  await clearFailures(db, attempts)
}
