import type { Transporter } from 'nodemailer'
import type { Mail, SendMail } from '../mail/messages.js'
import { logFrom } from './log.js'
import type { MailServer } from './mail-server.js'
import type { Settings } from './settings.js'

/** Sends mails by the server of the settings. Without one, the link is printed for the operator to pass on. */
export function mailSender({ mail, logLevel }: Pick<Settings, 'mail' | 'logLevel'>): SendMail {
  if (!mail) {
    return async ({ to, link, isNotice }) => {
      if (!isNotice) console.error(`waybill: no mail server is set; the link for ${to} is ${link}`)
    }
  }
  const log = logFrom(logLevel)
  let transport: Promise<Transporter> | undefined
  return async (message) => {
    transport ??= openTransport(mail.server)
    try {
      const { to, subject, text } = message
      await (await transport).sendMail({ from: mail.from, to: { name: '', address: to }, subject, text })
      message.onSent?.()
    } catch (error) {
      // The request does not fail: its effect stands, and the mail can be requested again.
      log('warn', `a mail to ${message.to} could not be sent: ${reasonOf(error, message)}`)
    }
  }
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

// A server may quote the mail in its error: keep the link out of the log.
function reasonOf(error: unknown, { link }: Mail): string {
  const { message } = error as Error
  if (link === '') return message
  return message.replaceAll(link, '(link)').replaceAll(link.slice(link.lastIndexOf('/') + 1), '(link)')
}
