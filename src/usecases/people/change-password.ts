import { recordAudit } from '../../store/audit.js'
import { setPassword } from '../../store/personal-links.js'
import { endSessions, renewAuthentication } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'
import { hashNewPassword } from './new-password.js'
import { sendNotice } from './notices.js'
import { verifyOwnPassword } from './own-password.js'

export const changePassword: PortalHandler<'changePassword'> = async (
  context,
  { body: { current_password = '', password } },
) => {
  const { db, account, person, token, actor } = context
  const { person_id } = person
  // The first password is chosen by a mailed link: a session alone must not add another way to sign in.
  await verifyOwnPassword(context, current_password)
  const password_hash = await hashNewPassword(password, person_id)
  await db.begin(async (sql) => {
    await setPassword(sql, account, person_id, { password_hash })
    await endSessions(sql, account, person_id, token)
    await renewAuthentication(sql, account, person_id, token)
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'password_changed' })
  })
  sendNotice(context, person, 'password_changed')
  return { accepted: true }
}
