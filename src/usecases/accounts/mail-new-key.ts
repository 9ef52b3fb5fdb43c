import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { type Mail, newKeyMail } from '../../mail/messages.js'
import { listAdmins } from '../../store/people.js'
import type { AccountWriteContext } from '../operator-context.js'
import type { PersonContext } from '../portal-context.js'

/** Mails about new keys, in case somebody else created them: to their maker, or to the admins if it was the forwarder. */

type NewKey = { key: string }
type Mailing = { base: string; forwarderName: string; accountName: string }

export async function mailNewKey(
  { base, forwarderName, session, person, client, sendMail }: PersonContext,
  { key }: NewKey,
): Promise<void> {
  const content = {
    name: person.name,
    accountName: session.accountName,
    forwarderName,
    link: `${base}/developers`,
    ending: key.slice(-4),
    address: client.address,
  }
  await sendMail(newKeyMail(person, content))
}

/** The mails to the admins of an account about a key that the forwarder created. */
export async function forwarderKeyMails(
  db: Reader,
  account: AccountId,
  { base, forwarderName, accountName }: Mailing,
  { key }: NewKey,
): Promise<Mail[]> {
  const content = { accountName, forwarderName, link: `${base}/developers`, ending: key.slice(-4) }
  const admins = await listAdmins(db, account)
  return admins.map((admin) => newKeyMail(admin, { ...content, name: admin.name }))
}

/** Mails them after the transaction that creates the key. */
export async function mailOperatorKey(context: AccountWriteContext, created: NewKey): Promise<void> {
  const { tx, account, accountRow, afterCommit, sendMail } = context
  const mails = await forwarderKeyMails(tx.sql, account, { ...context, accountName: accountRow.name }, created)
  afterCommit(async () => void (await Promise.all(mails.map(sendMail))))
}
