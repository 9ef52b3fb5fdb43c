import { randomBytes } from 'node:crypto'
import { Refusal } from '../contract/refusals.js'
import { findAccountRow } from '../storage/accounts.js'
import type { Database } from '../storage/database.js'
import { type Credentials, findCredentials, listPeople } from '../storage/people.js'
import { createLink, findLink, useLink } from '../storage/personal-links.js'
import { createSession, endSessions, type SignedInWith } from '../storage/sessions.js'
import { countAttempt, forgetFailures, type Subject } from '../storage/sign-in-failures.js'
import type { AccountId } from '../storage/transaction.js'
import type { PortalHandlers, SignedIn, VisitorContext } from './handlers.js'
import { linkTo, mailOf } from './mail.js'
import { hashPassword, isPassword, newToken } from './passwords.js'
import { sessionAnswer } from './session-answer.js'

export const sessionHandlers: PortalHandlers<
  | 'getSignInOptions'
  | 'signIn'
  | 'signInToDemo'
  | 'getSession'
  | 'findSession'
  | 'signOut'
  | 'requestPasswordReset'
  | 'getLink'
  | 'useLink'
> = {
  async getSignInOptions({ demoAccount, provider }) {
    return { demo: demoAccount !== undefined, ...(provider && { provider }) }
  },

  async signIn({ db, address }, { body: { email, password } }) {
    const [person, machine] = [ofPerson('sign-in', email), ofMachine('sign-in', address)]
    await refuseHaste(db, [person, machine])
    const found = await findCredentials(db, email)
    const isRight = await isPassword(found?.password_hash, password)
    if (!found || !isRight || found.isDisabled) throw new Refusal('sign_in_failed')
    await forgetFailures(db, person, machine)
    return startSession(db, found.account_id, found.person_id, 'password')
  },

  async signInToDemo({ db, demoAccount }) {
    const account = demoAccount === undefined ? undefined : await findAccountRow(db, demoAccount)
    const people = account ? await listPeople(db, account.account_id) : []
    // Whoever was there first: others may have been invited since.
    const [person] = people
      .filter(({ role, disabled_at }) => role === 'admin' && disabled_at === null)
      .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    if (!account || !person) throw new Refusal('sign_in_failed', 'Here nobody is signed in without a password.')
    return startSession(db, account.account_id, person.person_id, 'demo')
  },

  async getSession({ session, token }) {
    return sessionAnswer(session, token)
  },

  async findSession({ signedIn }) {
    return signedIn ? { session: sessionAnswer(signedIn.session, signedIn.token) } : {}
  },

  async signOut({ db, account, person }) {
    await endSessions(db, account, person.person_id)
    return { accepted: true }
  },

  async requestPasswordReset(context, { body: { email } }) {
    const { db, address } = context
    // Each request counts: whoever asks again and again fills somebody's mailbox.
    await refuseHaste(db, [ofPerson('reset', email), ofMachine('reset', address)])
    // Nobody waits for it: how long it takes would tell whether somebody is known.
    context.afterwards(async () => {
      const person = await findCredentials(db, email)
      if (person && !person.isDisabled) await sendReset(context, person)
    })
    return { accepted: true }
  },

  async getLink({ db }, { params: { token } }) {
    const link = await findLink(db, token)
    if (!link) throw new Refusal('link_not_valid')
    const { purpose, email, name, account_name } = link
    return { purpose, email, name, account_name }
  },

  async useLink({ db }, { params: { token: linkToken }, body: { password, name } }) {
    if (!(await findLink(db, linkToken))) throw new Refusal('link_not_valid')
    // The slow part first: nobody waits for a lock meanwhile.
    const password_hash = await hashPassword(password)
    const token = newToken()
    const email = await db.begin(async (sql) => {
      const link = await useLink(sql, linkToken, { password_hash, name })
      if (!link) throw new Refusal('link_not_valid')
      // Whoever knew the old password is signed out.
      await endSessions(sql, link.account_id, link.person_id)
      await createSession(sql, link.account_id, link.person_id, { token, signed_in_with: 'password' })
      return link.email
    })
    await forgetFailures(db, ofPerson('sign-in', email))
    return { token }
  },
}

export async function startSession(
  db: Database,
  account: AccountId,
  person_id: string,
  signed_in_with: SignedInWith,
): Promise<SignedIn> {
  const token = newToken()
  const isStarted = await createSession(db, account, person_id, { token, signed_in_with })
  if (!isStarted) throw new Refusal('account_suspended')
  return { token }
}

export function newPersonId(): string {
  return `per_${randomBytes(8).toString('hex')}`
}

/** Counts an attempt, or refuses it when those before it have failed too often. */
export async function refuseHaste(
  db: Database,
  subjects: Subject[],
  code: 'sign_in_slowed' | 'rate_limited' = 'sign_in_slowed',
): Promise<void> {
  const seconds = await countAttempt(db, subjects)
  if (seconds === 0) return
  throw new Refusal(code, `Try again in ${seconds} s.`, { headers: { 'retry-after': String(seconds) } })
}

type Attempt = 'sign-in' | 'reset'

function ofPerson(what: Attempt, email: string): Subject {
  return { name: `${what} ${email.toLowerCase()}`, freely: 5 }
}

// Many people may share one.
function ofMachine(what: Attempt, address: string): Subject {
  return { name: `${what} from ${address}`, freely: 50 }
}

async function sendReset(context: VisitorContext, person: Credentials): Promise<void> {
  const { db, base, forwarderName, sendMail } = context
  const token = newToken()
  await createLink(db, person.account_id, person.person_id, { token, purpose: 'reset' })
  const told = { name: person.name, accountName: person.account_name, forwarderName, link: linkTo(base, token) }
  await sendMail(mailOf('reset', person, told))
}
