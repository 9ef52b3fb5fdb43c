import { linkTo, mailOf } from '../../mail/messages.js'
import { recordAudit } from '../../store/audit.js'
import { type Credentials, findCredentials } from '../../store/people.js'
import { createLink } from '../../store/personal-links.js'
import type { PortalHandler, VisitorContext } from '../portal-context.js'
import { attemptsByAddress, attemptsByEmail, limitAttempts } from './attempt-limits.js'
import { newToken } from './passwords.js'

export const requestPasswordReset: PortalHandler<'requestPasswordReset'> = async (context, { body: { email } }) => {
  const { db, address } = context
  // Every request counts as an attempt: repeated ones would flood a mailbox.
  await limitAttempts(db, [attemptsByEmail('reset', email), attemptsByAddress('reset', address)])
  // Deferred: the response time must not reveal whether the address is known.
  context.defer(async () => {
    const person = await findCredentials(db, email)
    if (person && !person.isDisabled) await sendReset(context, person)
  })
  return { accepted: true }
}

async function sendReset(context: VisitorContext, person: Credentials): Promise<void> {
  const { db, base, forwarderName, sendMail, visitor } = context
  const token = newToken()
  await createLink(db, person.account_id, person.person_id, { token, purpose: 'reset' })
  const act = { kind: 'sign_in', action: 'reset_requested', subject: person.person_id } as const
  await recordAudit(db, person.account_id, visitor, act)
  const content = { name: person.name, accountName: person.account_name, forwarderName, link: linkTo(base, token) }
  await sendMail(mailOf('reset', person, content))
}
