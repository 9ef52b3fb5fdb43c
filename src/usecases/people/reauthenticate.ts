import { renewAuthentication } from '../../store/sessions.js'
import type { PortalHandler } from '../portal-context.js'
import { verifyOwnPassword } from './own-password.js'

/** Proves again who the person is, for operations that require it within the last 10 minutes. */
export const reauthenticate: PortalHandler<'reauthenticate'> = async (context, { body: { password } }) => {
  const { db, account, person, token } = context
  await verifyOwnPassword(context, password)
  await renewAuthentication(db, account, person.person_id, token)
  return { accepted: true }
}
