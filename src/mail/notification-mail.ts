import type { Language } from '../contract/portal/people.js'
import { replyMarkers } from '../domain/conversations/reply-text.js'
import type { Mail } from './messages.js'

/** Mails about what happened to shipments and orders: plain text, and HTML with the forwarder's name, logo and colour. */

export type MailItem = {
  label: string
  title: string
  sentence: string | undefined
  /** The page of the portal. */
  link: string
  isMessage?: boolean
}

type Details = {
  accountName: string
  forwarderName: string
  color: string
  hasLogo: boolean
  items: MailItem[]
  /** How many more there are in the portal. */
  more: number
  isDigest: boolean
  /** Where a reply becomes a message; undefined if replies are not read. */
  replyTo: string | undefined
  settingsLink: string
  /** Ends mails without signing in. */
  unsubscribeLink: string
}

type Texts = {
  digest(count: number, account: string): string
  intro(forwarder: string, account: string): string
  more(count: number): string
  open: string
  reason: string
  settings: string
  unsubscribe: string
  reply: string
  replyByMail: string
  message: string
}

const texts: Record<Language, Texts> = {
  en: {
    digest: (count, account) => `${count} ${count === 1 ? 'update' : 'updates'} for ${account}`,
    intro: (forwarder, account) => `${forwarder} for ${account}`,
    more: (count) => `and ${count} more in the portal`,
    open: 'Open in the portal',
    reason: 'You get this e-mail because you subscribed to it in the portal.',
    settings: 'Change notifications',
    unsubscribe: 'Unsubscribe',
    reply: 'Please answer in the portal: replies to this address are not read.',
    replyByMail: 'Answer by replying to this e-mail, or in the portal.',
    message: 'You get this e-mail because the message is to you, or you take part in the conversation.',
  },
  fr: {
    digest: (count, account) => `${count} ${count < 2 ? 'nouveauté' : 'nouveautés'} pour ${account}`,
    intro: (forwarder, account) => `${forwarder} pour ${account}`,
    more: (count) => `et ${count} de plus sur le portail`,
    open: 'Ouvrir dans le portail',
    reason: 'Vous recevez cet e-mail car vous vous y êtes abonné(e) sur le portail.',
    settings: 'Modifier les notifications',
    unsubscribe: 'Se désabonner',
    reply: 'Merci de répondre sur le portail : les réponses à cette adresse ne sont pas lues.',
    replyByMail: 'Répondez à cet e-mail, ou sur le portail.',
    message: 'Vous recevez cet e-mail car le message vous est adressé, ou que vous participez à la conversation.',
  },
}

export function notificationMail(to: { email: string; language: Language }, details: Details): Mail {
  const m = texts[to.language]
  const { items, isDigest, more, unsubscribeLink } = details
  const [first] = items
  const subject =
    isDigest || items.length !== 1 || !first
      ? m.digest(items.length + more, oneLine(details.accountName))
      : oneLine([first.label, first.title].filter((part) => part !== '').join(': '))
  return {
    to: to.email,
    subject: subject.slice(0, longestSubject),
    text: plainText(m, details, to.language),
    html: html(m, to.language, details),
    link: unsubscribeLink,
    unsubscribe: unsubscribeLink,
    ...(details.replyTo !== undefined && { replyTo: details.replyTo }),
    showsLogo: details.hasLogo,
    isNotice: true,
  }
}

const longestSubject = 200

// Names come from others: they cannot add lines.
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

// Messages have several, without anything else that is not shown.
function lines(text: string): string {
  return text.split('\n').map(oneLine).join('\n').trim()
}

function reasonOf(m: Texts, items: MailItem[]): string {
  return items.every(({ isMessage }) => isMessage) ? m.message : m.reason
}

function plainText(
  m: Texts,
  { accountName, forwarderName, items, more, replyTo, settingsLink, unsubscribeLink }: Details,
  language: Language,
): string {
  const blocks = items.map(({ label, title, sentence, link }) =>
    [oneLine([label, title].filter((part) => part !== '').join(': ')), sentence && lines(sentence), link]
      .filter((line) => line !== undefined && line !== '')
      .join('\n'),
  )
  return `${[
    ...(replyTo === undefined ? [] : [replyMarkers[language]]),
    oneLine(m.intro(forwarderName, accountName)),
    ...blocks,
    ...(more > 0 ? [m.more(more)] : []),
    `-- \n${reasonOf(m, items)} ${replyTo === undefined ? m.reply : m.replyByMail}\n${m.settings}: ${settingsLink}\n${m.unsubscribe}: ${unsubscribeLink}`,
  ].join('\n\n')}\n`
}

/** Tables and inline styles, which all mail programs show. */
function html(m: Texts, language: Language, details: Details): string {
  const { accountName, forwarderName, color, hasLogo, items, more, replyTo, settingsLink, unsubscribeLink } = details
  const name = escapeHtml(oneLine(forwarderName))
  const head = hasLogo
    ? `<img src="cid:${logoId}" alt="${name}" height="40" style="height:40px;max-width:240px;border:0">`
    : `<span style="font-size:18px;font-weight:600;color:#0b1f33">${name}</span>`
  const rows = items.map(
    ({ label, title, sentence, link }) => `<tr><td style="padding:16px 24px;border-top:1px solid #e3e8ed">
<div style="font-size:13px;color:#52606d">${escapeHtml(label)}</div>
<div style="font-size:16px;font-weight:600;padding:2px 0"><a href="${escapeHtml(link)}" style="color:${color};text-decoration:none">${escapeHtml(oneLine(title) || m.open)}</a></div>
${sentence === undefined ? '' : `<div style="font-size:14px;color:#0b1f33">${escapeHtml(lines(sentence)).replaceAll('\n', '<br>')}</div>`}
</td></tr>`,
  )
  const rest =
    more > 0
      ? `<tr><td style="padding:16px 24px;border-top:1px solid #e3e8ed;font-size:14px;color:#52606d">${escapeHtml(m.more(more))}</td></tr>`
      : ''
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:24px 12px;background:#f7f8fa;font-family:system-ui,-apple-system,'Segoe UI',sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;margin:0 auto;background:#ffffff;border:1px solid #e3e8ed;border-radius:8px">
${replyTo === undefined ? '' : `<tr><td style="padding:8px 24px 0;font-size:11px;color:#52606d">${replyMarkers[language]}</td></tr>`}
<tr><td style="padding:20px 24px">${head}<div style="font-size:13px;color:#52606d;padding-top:4px">${escapeHtml(oneLine(accountName))}</div></td></tr>
${rows.join('\n')}
${rest}
<tr><td style="padding:16px 24px;border-top:1px solid #e3e8ed;font-size:12px;line-height:1.5;color:#52606d">${escapeHtml(reasonOf(m, items))} ${escapeHtml(replyTo === undefined ? m.reply : m.replyByMail)}<br>
<a href="${escapeHtml(settingsLink)}" style="color:#52606d">${escapeHtml(m.settings)}</a> &middot; <a href="${escapeHtml(unsubscribeLink)}" style="color:#52606d">${escapeHtml(m.unsubscribe)}</a></td></tr>
</table>
</body>
</html>
`
}

/** The content id of the picture. */
export const logoId = 'logo@waybill'

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
