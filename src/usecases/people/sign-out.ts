import { recordAudit } from '../../store/audit.js'
import { endCurrentSession } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const signOut: PortalHandler<'signOut'> = async ({ db, account, person, token, actor }) => {
  await db.begin(async (sql) => {
    await endCurrentSession(sql, account, person.person_id, token)
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'signed_out' })
  })
  return { accepted: true }
}
