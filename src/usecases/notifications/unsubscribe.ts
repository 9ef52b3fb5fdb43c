import { type Delivery, deliveries } from '../../contract/portal/notification-kinds.js'
import type { Language } from '../../contract/portal/people.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { decrypt, encrypt } from '../../store/encrypted-value.js'
import { findPerson } from '../../store/people.js'
import { stopMails, stopMessageMails } from '../../store/subscriptions.js'

/** The link in a mail that ends such mails, without signing in. What it is about is encrypted and authenticated. */

export const unsubscribePath = '/unsubscribe'

/** What a link ends: one subscription, or all that are delivered in a way. */
export type Unsubscription = { account: AccountId; person_id: string } & (
  | { subscription_id: string }
  | { delivery: Delivery }
  | { messages: true }
)

export function unsubscribeLink(base: string, linkSecret: string, unsubscription: Unsubscription): string {
  return `${base}${unsubscribePath}/${encrypt(linkSecret, 'unsubscribe', unsubscription)}`
}

/** Undefined if the token was altered, or is from before a restore. */
async function readToken(db: Database, token: string): Promise<Unsubscription | undefined> {
  if (token.length > 1000 || !/^[\w-]+$/.test(token)) return undefined
  const { link_secret } = await readServiceSecrets(db)
  return decrypt(link_secret, 'unsubscribe', token) as Unsubscription | undefined
}

/** The language of who got the mail; undefined if the link is not valid. */
export async function findUnsubscription(db: Database, token: string): Promise<{ language: Language } | undefined> {
  const unsubscription = await readToken(db, token)
  const person = unsubscription && (await findPerson(db, unsubscription.account, unsubscription.person_id))
  return person && { language: person.language }
}

/** False if the link is not valid. Doing it again is no failure. */
export async function unsubscribe(db: Database, token: string): Promise<boolean> {
  const unsubscription = await readToken(db, token)
  if (!unsubscription) return false
  const { account, person_id } = unsubscription
  if ('messages' in unsubscription) await stopMessageMails(db, account, person_id)
  else if (!('delivery' in unsubscription)) await stopMails(db, account, person_id, unsubscription)
  else if (deliveries.includes(unsubscription.delivery)) await stopMails(db, account, person_id, unsubscription)
  return true
}
