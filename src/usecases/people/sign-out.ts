import { endSessions } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'

export const signOut: PortalHandler<'signOut'> = async ({ db, account, person }) => {
  await endSessions(db, account, person.person_id)
  return { accepted: true }
}
