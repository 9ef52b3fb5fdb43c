import { linkTo, mailOf } from '../../mail/messages.js'
import { recordAudit } from '../../store/audit.js'
import { type Credentials, findCredentials } from '../../store/people.js'
import { createLink } from '../../store/personal-links.js'
import type { PortalHandler, VisitorContext } from '../portal-context.js'
import { attemptsByAddress, attemptsByPerson, countAttempt } from './attempt-limits.js'
import { newToken } from './passwords.js'

export const requestPasswordReset: PortalHandler<'requestPasswordReset'> = async (context, { body: { email } }) => {
  const { db, site, address } = context
  // Deferred: neither the response nor its time reveals whether the address is known, or how often a link was requested.
  context.defer(async () => {
    const person = await findCredentials(db, site, email)
    // Every request counts as an attempt. Beyond the limit no mail is sent: it would flood a mailbox.
    const counters = [attemptsByPerson('reset', email, person), attemptsByAddress('reset', address)]
    const isLimited = (await countAttempt(db, counters)) > 0
    if (person && !person.isDisabled && !isLimited) await sendReset(context, person)
  })
  return { accepted: true }
}

async function sendReset(context: VisitorContext, person: Credentials): Promise<void> {
  const { db, base, site, forwarderName, sendMail, visitor } = context
  const token = newToken()
  await createLink(db, person.account_id, person.person_id, { token, purpose: 'reset' })
  const act = { kind: 'sign_in', action: 'reset_requested', subject: person.person_id } as const
  await recordAudit(db, person.account_id, visitor, act)
  const link = linkTo(base, site, token)
  const content = { name: person.name, accountName: person.account_name, site, forwarderName, link }
  await sendMail(mailOf('reset', person, content))
}
