import { Refusal } from '../../contract/refusals.js'
import { recordAudit } from '../../store/audit.js'
import { endSession as end, endSessions } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const endSession: PortalHandler<'endSession'> = async (
  { db, account, person, actor },
  { params: { session_id } },
) => {
  await db.begin(async (sql) => {
    const ended = await end(sql, account, person.person_id, session_id)
    if (!ended) throw new Refusal('session_not_found')
    const details = { sessions: 1, ...ended }
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'sessions_ended', subject: session_id, details })
  })
  return { accepted: true }
}

export const endOtherSessions: PortalHandler<'endOtherSessions'> = async ({ db, account, person, token, actor }) => {
  await db.begin(async (sql) => {
    const sessions = await endSessions(sql, account, person.person_id, token)
    await recordAudit(sql, account, actor, { kind: 'sign_in', action: 'sessions_ended', details: { sessions } })
  })
  return { accepted: true }
}
