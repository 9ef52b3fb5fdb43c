import { recordAudit } from '../../store/audit.js'
import { endSessions } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const signOut: PortalHandler<'signOut'> = async ({ db, account, person, actor }) => {
  await db.begin(async (sql) => {
    await endSessions(sql, account, person.person_id)
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'signed_out' })
  })
  return { accepted: true }
}
