import { Refusal } from '../../contract/refusals.js'
import { findPasswordHash } from '../../store/people.js'
import { setPassword } from '../../store/personal-links.js'
import { endSessions } from '../../store/sessions.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import type { PortalHandler } from '../portal-context.js'
import { limitAttempts } from './attempt-limits.js'
import { hashPassword, isPassword } from './passwords.js'

export const changePassword: PortalHandler<'changePassword'> = async (
  { db, account, person, token },
  { body: { current_password = '', password } },
) => {
  const { person_id } = person
  const attempts = { name: `password ${person_id}`, allowed: 5 }
  await limitAttempts(db, [attempts])
  const stored = await findPasswordHash(db, account, person_id)
  // A person who signs in with the company's provider may have no password yet.
  if (stored !== null && !(await isPassword(stored, current_password, person_id))) throw new Refusal('wrong_password')
  const password_hash = await hashPassword(password, person_id)
  await db.begin(async (sql) => {
    await setPassword(sql, account, person_id, { password_hash })
    await endSessions(sql, account, person_id, token)
  })
  await clearFailures(db, attempts)
  return { accepted: true }
}
