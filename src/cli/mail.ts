import type { Transporter } from 'nodemailer'
import { logoId } from '../mail/layout.js'
import { htmlOf } from '../mail/letter.js'
import type { Mail, SendMail } from '../mail/messages.js'
import { type DeliverMail, RejectedMail } from '../usecases/mail/outbox.js'
import { logFrom } from './log.js'
import type { MailServer } from './mail-server.js'
import type { Settings } from './settings.js'

/** Sends mails at once, by the server of the settings. Without one, the link is printed for the operator to pass on. */
export function mailSender(settings: Pick<Settings, 'mail' | 'logLevel' | 'forwarderName'>): SendMail {
  const { mail, logLevel } = settings
  if (!mail) return printLink
  const deliver = mailDeliverer(mail, settings)
  const log = logFrom(logLevel)
  return async (message) => {
    try {
      await deliver(message)
      message.onTaken?.()
    } catch (error) {
      // The command does not fail: its effect stands, and the mail can be requested again.
      log('warn', describeFailure(message, (error as Error).message))
    }
  }
}

/** Without a mail server. */
export const printLink: SendMail = async ({ to, link, isNotice }) => {
  if (!isNotice) console.error(`waybill: no mail server is set; the link for ${to} is ${link}`)
}

export function mailDeliverer(
  { server, from }: NonNullable<Settings['mail']>,
  { forwarderName }: Pick<Settings, 'forwarderName'>,
): DeliverMail {
  let transport: Promise<Transporter> | undefined
  return async (message) => {
    transport ??= openTransport(server)
    const { to, subject, text, unsubscribe, replyTo } = message
    const { html, logo } = htmlOf(message, forwarderName)
    try {
      await (await transport).sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        ...(replyTo !== undefined && { replyTo }),
        html,
        ...(logo !== undefined && { attachments: [logoAttachment(logo)] }),
        ...(unsubscribe !== undefined && { headers: unsubscribeHeaders(unsubscribe) }),
      })
    } catch (error) {
      const reason = reasonOf(error, message)
      throw isRejection(error) ? new RejectedMail(reason) : new Error(reason)
    }
  }
}

function logoAttachment(logo: string) {
  return { filename: 'logo.png', content: Buffer.from(logo, 'base64'), contentType: 'image/png', cid: logoId }
}

/** One click in the mail program (RFC 8058); no automatic replies (RFC 3834). */
function unsubscribeHeaders(address: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${address}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Auto-Submitted': 'auto-generated',
  }
}

export function describeFailure({ to }: Mail, reason: string): string {
  return `a mail to ${to} could not be sent: ${reason}`
}

/** Of the recipient or the mail; not a wrong password, which the operator corrects. */
function isRejection(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/** Connects and authenticates without sending a mail; rejects if that fails. */
export async function checkMailServer(server: MailServer): Promise<void> {
  const transport = await openTransport(server)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const timeout = 10_000

// Loaded with the first mail.
async function openTransport({ host, port, tls, credentials }: MailServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    ...(credentials && { auth: credentials }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  })
}

const longestReason = 300

// A server may quote the mail in its error: keep the link out of the log and the database.
function reasonOf(error: unknown, { link }: Mail): string {
  const { message } = error as Error
  const secret = link.slice(link.lastIndexOf('/') + 1)
  const masked = link === '' ? message : message.replaceAll(link, '(link)').replaceAll(secret, '(link)')
  return masked.slice(0, longestReason)
}
