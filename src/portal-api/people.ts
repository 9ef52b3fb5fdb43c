import { invalid, Refusal } from '../contract/refusals.js'
import type { Database } from '../storage/database.js'
import {
  findPasswordHash,
  findPerson,
  hasOtherAdmin,
  listPeople,
  type PersonRow,
  removePerson,
  savePreferences,
} from '../storage/people.js'
import { createLink, setPassword } from '../storage/personal-links.js'
import { endSessions, findSession } from '../storage/sessions.js'
import { forgetFailures } from '../storage/sign-in-failures.js'
import { type AccountId, type Transaction, transaction } from '../storage/transaction.js'
import type { PersonContext, PortalHandlers } from './handlers.js'
import { linkTo, mailOf } from './mail.js'
import { changeMembership, getPerson, invite } from './membership.js'
import { hashPassword, isPassword, newToken } from './passwords.js'
import { refuseHaste } from './session.js'
import { personAnswer, sessionAnswer } from './session-answer.js'

export const personHandlers: PortalHandlers<'updatePerson' | 'changePassword'> = {
  async updatePerson({ db, account, person, token }, { body }) {
    if (body.time_zone !== undefined && !isTimeZone(body.time_zone)) {
      throw invalid([{ pointer: '/time_zone', detail: 'must be a name of the IANA time zone database' }])
    }
    await savePreferences(db, account, person.person_id, body)
    const session = await findSession(db, token)
    if (!session) throw new Refusal('not_signed_in')
    return sessionAnswer(session, token)
  },

  async changePassword({ db, account, person, token }, { body: { current_password = '', password } }) {
    const { person_id } = person
    const attempts = { name: `password ${person_id}`, freely: 5 }
    await refuseHaste(db, [attempts])
    const kept = await findPasswordHash(db, account, person_id)
    // Who has always signed in elsewhere has none to tell.
    if (kept !== null && !(await isPassword(kept, current_password))) throw new Refusal('wrong_password')
    const password_hash = await hashPassword(password)
    await db.begin(async (sql) => {
      await setPassword(sql, account, person_id, { password_hash })
      await endSessions(sql, account, person_id, token)
    })
    await forgetFailures(db, attempts)
    return { accepted: true }
  },
}

export const peopleHandlers: PortalHandlers<
  'listPeople' | 'invitePerson' | 'inviteAgain' | 'updateRole' | 'removePerson'
> = {
  async listPeople({ db, account }) {
    return (await listPeople(db, account)).map(personAnswer)
  },

  async invitePerson(context, { body }) {
    const { db, account, author, session } = context
    await refuseFlood(db, account, body.email)
    const given = { ...body, language: body.language ?? session.person.language }
    const { person, token } = await invite(db, account, given, author)
    await sendInvitation(context, person, token)
    return personAnswer(person)
  },

  async inviteAgain(context, { params: { person_id } }) {
    const { db, account, author } = context
    const known = await findPerson(db, account, person_id)
    if (known) await refuseFlood(db, account, known.email)
    const token = newToken()
    const person = await transaction(db, account, author, async (tx) => {
      const found = await getPerson(tx, account, person_id)
      await createLink(tx.sql, account, person_id, { token, purpose: 'invitation' })
      return found
    })
    await sendInvitation(context, person, token)
    return personAnswer(person)
  },

  async updateRole({ db, account, author }, { params: { person_id }, body }) {
    if (body.role === undefined && body.disabled === undefined) {
      throw invalid([{ pointer: '', detail: 'needs role or disabled' }])
    }
    return transaction(db, account, author, async (tx) => {
      const person = await getPerson(tx, account, person_id)
      const losesAdmin = body.disabled === true || (body.role !== undefined && body.role !== 'admin')
      if (losesAdmin) await refuseLastAdmin(tx, account, person)
      await changeMembership(tx, account, person_id, body)
      return personAnswer(await getPerson(tx, account, person_id))
    })
  },

  async removePerson({ db, account, author }, { params: { person_id } }) {
    await transaction(db, account, author, async (tx) => {
      await refuseLastAdmin(tx, account, await getPerson(tx, account, person_id))
      await removePerson(tx, account, person_id)
    })
    return { accepted: true }
  },
}

async function refuseLastAdmin(tx: Transaction, account: AccountId, { person_id, role }: PersonRow): Promise<void> {
  if (role === 'admin' && !(await hasOtherAdmin(tx, account, person_id))) throw new Refusal('last_admin')
}

// Mails go out in the name of the forwarder, to whatever address is told: nobody is to be flooded with them.
async function refuseFlood(db: Database, account: AccountId, email: string): Promise<void> {
  const person = { name: `invitation ${email.toLowerCase()}`, freely: 5 }
  const all = { name: `invitations of account ${account}`, freely: 100 }
  await refuseHaste(db, [person, all], 'rate_limited')
}

async function sendInvitation(context: PersonContext, person: PersonRow, token: string): Promise<void> {
  const { base, forwarderName, session, sendMail } = context
  const told = { name: person.name, accountName: session.accountName, forwarderName, link: linkTo(base, token) }
  await sendMail(mailOf('invitation', person, told))
}

function isTimeZone(name: string): boolean {
  try {
    // The outcome is used, so that no bundler takes the call for one without effect.
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
