import type { StaffMember } from '../../contract/operator/people-operations.js'
import type { AccountId, AccountScope } from '../../database/account-id.js'
import { forwarderAccount } from '../../database/account-id.js'
import { commitWithin } from '../../ledger/commit.js'
import type { Transaction } from '../../ledger/transaction.js'
import { linkTo, type Mail, mailOf } from '../../mail/messages.js'
import { listSlugs, saveForwarderAccount } from '../../store/accounts.js'
import { recordAudit } from '../../store/audit.js'
import { listPersonRows, type PersonRow } from '../../store/people.js'
import { endSessions } from '../../store/sessions.js'
import { accountsNamed } from '../accounts/account-scope.js'
import type { AccountWriteContext, ForwarderWriteContext, OperatorHandler } from '../operator-context.js'
import { inviteAgainIn, inviteIn, validEmail } from './invite-person.js'
import { getPerson } from './person-record.js'
import { removePersonIn } from './remove-person.js'
import { personResponse } from './session-response.js'
import { changePersonIn } from './update-role.js'

/** What the forwarder's admins do about the users of an account, and about the forwarder's own people. */

export const listAccountPeople: OperatorHandler<'listAccountPeople'> = async ({ db, account }) =>
  (await listPersonRows(db, account)).map(personResponse)

export const inviteAccountPerson: OperatorHandler<'inviteAccountPerson'> = async (context, { body }) => {
  const { tx, account, actor } = context
  const invited = await inviteIn(tx, account, { ...body, email: validEmail(body.email) }, actor)
  return invitationTo(context, invited)
}

export const inviteAccountPersonAgain: OperatorHandler<'inviteAccountPersonAgain'> = async (context, { params }) => {
  const { tx, account, actor } = context
  return invitationTo(context, await inviteAgainIn(tx, account, params.person_id, actor))
}

// Unlike admins of the account, the forwarder cannot lock itself out.
const byForwarder = { mustHaveAdmin: false }

export const updateAccountPerson: OperatorHandler<'updateAccountPerson'> = async (
  { tx, account, actor },
  { params: { person_id }, body },
) => personResponse(await changePersonIn(tx, account, person_id, body, actor, byForwarder))

export const removeAccountPerson: OperatorHandler<'removeAccountPerson'> = async (
  { tx, account, actor },
  { params: { person_id }, query },
) => {
  await removePersonIn(tx, account, person_id, query.keys, actor, byForwarder)
  return { accepted: true }
}

export const listStaff: OperatorHandler<'listStaff'> = async ({ db, operator }) => {
  const staff = (await listPersonRows(db, forwarderAccount)).map(staffMember)
  if (operator.accounts === 'all') return staff
  // Of other accounts, not even the names are shown.
  const own = new Set(await listSlugs(db, operator.accounts))
  return staff.map(({ accounts, ...member }) => {
    const shared = accounts?.filter((slug) => own.has(slug)) ?? []
    return { ...member, ...(shared.length > 0 && { accounts: shared }) }
  })
}

export const inviteStaff: OperatorHandler<'inviteStaff'> = async (context, { body }) => {
  const { sql, actor } = context
  const accounts = body.accounts && (await accountsNamed(sql, body.accounts))
  const given = { ...body, email: validEmail(body.email), accounts }
  const invited = await ofForwarder(context, (tx, account) => inviteIn(tx, account, given, actor))
  return invitationToOffice(context, invited)
}

export const inviteStaffAgain: OperatorHandler<'inviteStaffAgain'> = async (context, { params: { person_id } }) => {
  const { actor } = context
  const invited = await ofForwarder(context, (tx, account) => inviteAgainIn(tx, account, person_id, actor))
  return invitationToOffice(context, invited)
}

export const updateStaff: OperatorHandler<'updateStaff'> = async (context, { params: { person_id }, body }) => {
  const { accounts: slugs, ...change } = body
  const accounts: AccountScope | undefined = slugs === null ? 'all' : slugs && (await accountsNamed(context.sql, slugs))
  const changed = { ...change, ...(accounts !== undefined && { accounts }) }
  return staffMember(
    await ofForwarder(context, (tx, account) => changePersonIn(tx, account, person_id, changed, context.actor)),
  )
}

export const removeStaff: OperatorHandler<'removeStaff'> = async (context, { params: { person_id } }) => {
  await ofForwarder(context, (tx, account) => removePersonIn(tx, account, person_id, 'revoke', context.actor))
  return { accepted: true }
}

export const endStaffSessions: OperatorHandler<'endStaffSessions'> = async (context, { params: { person_id } }) =>
  ofForwarder(context, async (tx, account) => {
    const { email } = await getPerson(tx, account, person_id)
    const sessions = await endSessions(tx.sql, account, person_id)
    const act = { kind: 'sign_in', action: 'sessions_ended', subject: person_id, details: { sessions, email } } as const
    await recordAudit(tx.sql, account, context.actor, act)
    return { sessions }
  })

async function ofForwarder<Result>(
  { sql, author, forwarderName }: ForwarderWriteContext,
  work: (tx: Transaction, account: AccountId) => Promise<Result>,
): Promise<Result> {
  await saveForwarderAccount(sql, forwarderName)
  return commitWithin(sql, forwarderAccount, author, (tx) => work(tx, forwarderAccount))
}

function staffMember(person: PersonRow): StaffMember {
  const { accounts } = person
  return { ...(personResponse(person) as unknown as StaffMember), ...(accounts && { accounts }) }
}

type Invited = { person: PersonRow; token: string }

/** Mails the link, or returns it if there is no mail server. */
async function invitationTo(context: AccountWriteContext, { person, token }: Invited) {
  const { base, accountRow, forwarderName, afterCommit, sendMail, sendsMail } = context
  const link = linkTo(base, 'portal', token)
  const content = { name: person.name, accountName: accountRow.name, site: 'portal', forwarderName, link } as const
  if (sendsMail) afterCommit(() => sendMail(mailOf('invitation', person, content)))
  return { ...personResponse(person), ...(!sendsMail && { link }) }
}

async function invitationToOffice(context: ForwarderWriteContext, { person, token }: Invited) {
  const { officeBase, forwarderName, afterCommit, sendMail, sendsMail } = context
  const link = linkTo(officeBase, 'office', token)
  const mail: Mail = mailOf('invitation', person, {
    name: person.name,
    accountName: forwarderName,
    site: 'office',
    forwarderName,
    link,
  })
  if (sendsMail) afterCommit(() => sendMail(mail))
  return { ...staffMember(person), ...(!sendsMail && { link }) }
}
