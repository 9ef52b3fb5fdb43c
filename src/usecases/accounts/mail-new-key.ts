import { newKeyMail } from '../../mail/messages.js'
import type { PersonContext } from '../portal-context.js'

/** Tells a person about a key that was created in their name, in case it was somebody else. */
export async function mailNewKey(
  { base, forwarderName, session, person, client, sendMail }: PersonContext,
  { key }: { key: string },
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
