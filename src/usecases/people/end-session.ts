import { Refusal } from '../../contract/refusals.js'
import { endSession as end, endSessions } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const endSession: PortalHandler<'endSession'> = async ({ db, account, person }, { params: { session_id } }) => {
  if (!(await end(db, account, person.person_id, session_id))) throw new Refusal('session_not_found')
  return { accepted: true }
}

export const endOtherSessions: PortalHandler<'endOtherSessions'> = async ({ db, account, person, token }) => {
  await endSessions(db, account, person.person_id, token)
  return { accepted: true }
}
