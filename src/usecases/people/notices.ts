import { systemTime } from '../../clock/clock.js'
import type { Language } from '../../contract/portal/people.js'
import { deviceOf } from '../../domain/people/device.js'
import { settingsLink } from '../../mail/messages.js'
import { type NoticeOccasion, noticeOf } from '../../mail/notices.js'
import type { PersonContext, VisitorContext } from '../portal-context.js'

type Recipient = { email: string; name: string; language: Language }

/** Notifies a person by mail of what happened to their access, after the response. Failures are logged. */
export function sendNotice(
  { defer, sendMail, forwarderName, base, site, client }: PersonContext | VisitorContext,
  { email, name, language }: Recipient,
  occasion: NoticeOccasion,
): void {
  const details = {
    name,
    forwarderName,
    site,
    link: settingsLink(base, site),
    address: client.address,
    at: new Date(systemTime()),
    ...deviceOf(client.userAgent),
  }
  defer(() => sendMail(noticeOf(occasion, { email, language }, details)))
}
