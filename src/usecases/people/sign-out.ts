import { recordAudit } from '../../store/audit.js'
import { endCurrentSession } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const signOut: PortalHandler<'signOut'> = async ({ db, account, person, session, token, actor }) => {
  await db.begin(async (sql) => {
    await endCurrentSession(sql, account, person.person_id, token)
    const details = { email: person.email, name: person.name }
    await recordAudit(
      sql,
      account,
      actor,
      session.viewer
        ? { kind: 'operator', action: 'viewing_ended', subject: person.person_id, details }
        : { kind: 'sign_in', action: 'signed_out' },
    )
  })
  return { accepted: true }
}
