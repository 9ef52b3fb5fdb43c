import { Refusal } from '../../contract/refusals.js'
import { recordAudit } from '../../store/audit.js'
import { findLink, redeemLink } from '../../store/personal-links.js'
import { endSessions } from '../../store/sessions.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { startSessionOrPending } from '../factors/sign-in-with-factor.js'
import type { PortalHandler } from '../portal-context.js'
import { attemptsByEmail } from './attempt-limits.js'
import { hashPassword } from './passwords.js'
import { personActor } from './person-record.js'

/** Sets a password by a link from a mail, and signs in. */
export const useLink: PortalHandler<'useLink'> = async (
  { db, client, visitor },
  { body: { token: linkToken, password, name } },
) => {
  if (!(await findLink(db, linkToken))) throw new Refusal('link_not_valid')
  // Hashed before the transaction begins: hashing is slow, and no lock is held during it.
  const password_hash = await hashPassword(password)
  const { email, session } = await db.begin(async (sql) => {
    const link = await redeemLink(sql, linkToken, { password_hash, name })
    if (!link) throw new Refusal('link_not_valid')
    // A session that was started with the old password ends.
    await endSessions(sql, link.account_id, link.person_id)
    const person = { person_id: link.person_id, name: name ?? link.name }
    const act =
      link.purpose === 'invitation'
        ? ({ kind: 'person', action: 'person_joined', subject: link.person_id } as const)
        : ({ kind: 'sign_in', action: 'password_changed', details: { by: 'link' } } as const)
    await recordAudit(sql, link.account_id, personActor(person, visitor), act)
    return { email: link.email, session: await startSessionOrPending(sql, link.account_id, link.person_id, client) }
  })
  await clearFailures(db, attemptsByEmail('sign-in', email))
  return session
}
