import { recordAudit } from '../../store/audit.js'
import { setPassword } from '../../store/personal-links.js'
import { endSessions, renewAuthentication } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'
import { verifyOwnPassword } from './own-password.js'
import { hashPassword } from './passwords.js'

export const changePassword: PortalHandler<'changePassword'> = async (
  context,
  { body: { current_password = '', password } },
) => {
  const { db, account, person, token, actor } = context
  const { person_id } = person
  // A person who signs in with the company's provider may have no password yet.
  if (person.hasPassword) await verifyOwnPassword(context, current_password)
  const password_hash = await hashPassword(password, person_id)
  await db.begin(async (sql) => {
    await setPassword(sql, account, person_id, { password_hash })
    await endSessions(sql, account, person_id, token)
    if (person.hasPassword) await renewAuthentication(sql, account, person_id, token)
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'password_changed' })
  })
  return { accepted: true }
}
