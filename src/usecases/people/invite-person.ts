import { Email, type Language } from '../../contract/portal/people.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { normalizedEmail } from '../../domain/people/email.js'
import { commit } from '../../ledger/commit.js'
import type { Transaction } from '../../ledger/transaction.js'
import { linkTo, mailOf } from '../../mail/messages.js'
import { type Actor, commandLine, recordAudit } from '../../store/audit.js'
import { createPerson, findPerson, type PersonRow, type Role } from '../../store/people.js'
import { createLink } from '../../store/personal-links.js'
import type { PersonContext, PortalHandler } from '../portal-context.js'
import { limitAttempts } from './attempt-limits.js'
import { newToken } from './passwords.js'
import { getPerson, newPersonId } from './person-record.js'
import { personResponse } from './session-response.js'

export const invitePerson: PortalHandler<'invitePerson'> = async (context, { body }) => {
  const { db, account, actor, session } = context
  const email = validEmail(body.email)
  await limitInvitations(db, account, email)
  const given = { ...body, language: body.language ?? session.person.language }
  const { person, token } = await invite(db, account, given, actor)
  await sendInvitation(context, person, token)
  return personResponse(person)
}

/** Sends another invitation to somebody who was invited before. */
export const inviteAgain: PortalHandler<'inviteAgain'> = async (context, { params: { person_id } }) => {
  const { db, account, author, actor } = context
  const known = await findPerson(db, account, person_id)
  if (known) await limitInvitations(db, account, known.email)
  const { person, token } = await commit(db, account, author, (tx) => inviteAgainIn(tx, account, person_id, actor))
  await sendInvitation(context, person, token)
  return personResponse(person)
}

/** As it is stored. Normalising may add an @ or a blank, which is refused. */
export function validEmail(given: string): string {
  const email = normalizedEmail(given)
  if (validatorOf(Email).faultsIn(email).length > 0) {
    throw invalid([{ pointer: '/email', detail: 'must be an e-mail address, such as kim@example.com' }])
  }
  return email
}

type InvitedPerson = { person: PersonRow; token: string }
export type Invited = {
  email: string
  name: string
  role: Role
  /** Of an operator; undefined: all of them. */
  accounts?: readonly AccountId[] | undefined
  language?: Language | undefined
}

/** Adds a person to the account. The token belongs into the link by which they set their password. */
export async function invite(
  db: Database,
  account: AccountId,
  given: Invited,
  actor = commandLine,
): Promise<InvitedPerson> {
  return commit(db, account, actor.actor, (tx) => inviteIn(tx, account, given, actor))
}

export async function inviteIn(
  tx: Transaction,
  account: AccountId,
  given: Invited,
  actor: Actor,
): Promise<InvitedPerson> {
  const person_id = newPersonId()
  const token = newToken()
  if (!(await createPerson(tx, account, { ...given, person_id }))) throw new Refusal('person_exists')
  await createLink(tx.sql, account, person_id, { token, purpose: 'invitation' })
  const person = await getPerson(tx, account, person_id)
  const details = {
    email: given.email,
    name: given.name,
    role: given.role,
    ...(person.accounts && { accounts: person.accounts.join(', ') }),
  }
  await recordAudit(tx.sql, account, actor, { kind: 'person', action: 'person_invited', subject: person_id, details })
  return { person, token }
}

/** The earlier link stops working. */
export async function inviteAgainIn(
  tx: Transaction,
  account: AccountId,
  person_id: string,
  actor: Actor,
): Promise<InvitedPerson> {
  const token = newToken()
  const person = await getPerson(tx, account, person_id)
  await createLink(tx.sql, account, person_id, { token, purpose: 'invitation' })
  const act = {
    kind: 'person',
    action: 'invitation_repeated',
    subject: person_id,
    details: { email: person.email },
  } as const
  await recordAudit(tx.sql, account, actor, act)
  return { person, token }
}

// Invitations are mails in the forwarder's name to any address: limited, so that nobody is flooded with them.
async function limitInvitations(db: Database, account: AccountId, email: string): Promise<void> {
  const person = { name: `invitation ${email}`, allowed: 5 }
  const all = { name: `invitations of account ${account}`, allowed: 100 }
  await limitAttempts(db, [person, all], 'rate_limited')
}

async function sendInvitation(context: PersonContext, person: PersonRow, token: string): Promise<void> {
  const { base, site, forwarderName, session, sendMail } = context
  const link = linkTo(base, site, token)
  const content = { name: person.name, accountName: session.accountName, site, forwarderName, link }
  await sendMail(mailOf('invitation', person, content))
}
