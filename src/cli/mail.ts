import type { Transporter } from 'nodemailer'
import type { Mail, SendMail } from '../portal-api/mail.js'
import { logFrom } from './log.js'
import type { MailServer } from './mail-server.js'
import type { Settings } from './settings.js'

/** By the mail server of the settings; or else the link is printed, so that somebody can hand it on. */
export function mailSender({ mail, logLevel }: Pick<Settings, 'mail' | 'logLevel'>): SendMail {
  if (!mail) {
    return async ({ to, link }) => console.error(`waybill: no mail server is set; the link for ${to} is ${link}`)
  }
  const log = logFrom(logLevel)
  let transport: Promise<Transporter> | undefined
  return async (message) => {
    transport ??= openTransport(mail.server)
    try {
      const { to, subject, text } = message
      await (await transport).sendMail({ from: mail.from, to: { name: '', address: to }, subject, text })
    } catch (error) {
      // Whoever asked for it is not failed for it: what it is about stays valid, and can be asked for again.
      log('warn', `a mail to ${message.to} could not be sent: ${reasonOf(error, message)}`)
    }
  }
}

/** Rejects where a mail could not be handed to the server: it is reached, and told who we are, but sent nothing. */
export async function checkMailServer(server: MailServer): Promise<void> {
  const transport = await openTransport(server)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const patience = 10_000

// Loaded when the first mail is sent.
async function openTransport({ host, port, tls, credentials }: MailServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: tls === 'at once',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(credentials && { auth: credentials }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
  })
}

// A server may quote what it was sent: whoever reads logs is not meant to use the link.
function reasonOf(error: unknown, { link }: Mail): string {
  const { message } = error as Error
  return message.replaceAll(link, '(link)').replaceAll(link.slice(link.lastIndexOf('/') + 1), '(link)')
}
