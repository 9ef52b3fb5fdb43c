import { Refusal } from '../../contract/refusals.js'
import { recordAudit } from '../../store/audit.js'
import { findLink, redeemLink } from '../../store/personal-links.js'
import { endSessions } from '../../store/sessions.js'
import { clearFailures } from '../../store/sign-in-failures.js'
import { startSessionOrPending } from '../factors/sign-in-with-factor.js'
import type { PortalHandler } from '../portal-context.js'
import { attemptsByPerson } from './attempt-limits.js'
import { hashNewPassword } from './new-password.js'
import { sendNotice } from './notices.js'
import { personActor } from './person-record.js'

/** Sets a password by a link from a mail, and signs in. */
export const useLink: PortalHandler<'useLink'> = async (context, { body: { token: linkToken, password, name } }) => {
  const { db, site, client, visitor } = context
  if (!(await findLink(db, site, linkToken))) throw new Refusal('link_not_valid')
  // Hashed before the transaction begins: hashing is slow, and no lock is held during it.
  const password_hash = await hashNewPassword(password)
  const { person, session } = await db.begin(async (sql) => {
    const link = await redeemLink(sql, site, linkToken, { password_hash, name })
    if (!link) throw new Refusal('link_not_valid')
    // A session that was started with the old password ends.
    await endSessions(sql, link.account_id, link.person_id)
    const actor = { person_id: link.person_id, name: name ?? link.name }
    const act =
      link.purpose === 'invitation'
        ? ({ kind: 'person', action: 'person_joined', subject: link.person_id } as const)
        : ({ kind: 'sign_in', action: 'password_changed', details: { by: 'link' } } as const)
    await recordAudit(sql, link.account_id, personActor(actor, visitor), act)
    return { person: link, session: await startSessionOrPending(sql, link.account_id, link.person_id, client) }
  })
  await clearFailures(db, attemptsByPerson('sign-in', person.email, person))
  if (person.purpose === 'reset') sendNotice(context, person, 'password_changed')
  return { ...session, isByLink: true }
}
