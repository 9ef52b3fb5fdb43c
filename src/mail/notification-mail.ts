import { escapeHtml } from '../contract/html.js'
import type { Language } from '../contract/portal/people.js'
import { replyMarkers } from '../domain/conversations/reply-text.js'
import {
  type Block,
  button,
  caption,
  heading,
  label,
  layout,
  oneLine,
  paragraph,
  quote,
  softLink,
  type Tone,
} from './layout.js'
import type { Mail } from './messages.js'

/** Mails about what happened to shipments and orders: plain text, and HTML with the forwarder's name, logo and colour. */

export type MailItem = {
  label: string
  title: string
  sentence: string | undefined
  /** What it puts at risk. */
  stake?: string | undefined
  /** The shipment or order that it belongs to, where the title names something else. */
  about?: string | undefined
  /** The page of the portal. */
  link: string
  tone: Tone
  /** Of a message. */
  quote?: { author: string; text: string } | undefined
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
  /** What it is about, in the portal. */
  listLink: string
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
    message:
      'You get this e-mail because the message is to you, or you take part in the conversation or subscribed to it.',
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
    message:
      'Vous recevez cet e-mail car le message vous est adressé, ou que vous participez à la conversation ou y êtes abonné(e).',
  },
}

export function notificationMail(to: { email: string; language: Language }, details: Details): Mail {
  const m = texts[to.language]
  const { items, isDigest, more, unsubscribeLink } = details
  const [first] = items
  const title =
    isDigest || items.length !== 1 || !first
      ? m.digest(items.length + more, oneLine(details.accountName))
      : oneLine([first.label, first.title].filter((part) => part !== '').join(': '))
  const subject = title.slice(0, longestSubject).toWellFormed()
  return {
    to: to.email,
    subject,
    text: plainText(m, details, to.language),
    html: html(m, to.language, subject, details),
    link: unsubscribeLink,
    unsubscribe: unsubscribeLink,
    ...(details.replyTo !== undefined && { replyTo: details.replyTo }),
    isNotice: true,
  }
}

const longestSubject = 200

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
  const blocks = items.map(({ label: what, title, about, sentence, stake, link }) =>
    [
      oneLine([what, about === undefined ? title : `${title} (${about})`].filter((part) => part !== '').join(': ')),
      sentence && lines(sentence),
      stake && oneLine(stake),
      link,
    ]
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

function html(m: Texts, language: Language, subject: string, details: Details): string {
  const { accountName, items, more, isDigest, replyTo, settingsLink, listLink, unsubscribeLink } = details
  const [first] = items
  const isSeveral = isDigest || items.length !== 1
  const look = { forwarderName: details.forwarderName, color: details.color, hasLogo: details.hasLogo }
  const ordered = isSeveral ? items.toSorted((one, other) => rank[one.tone] - rank[other.tone]) : items
  const blocks: Block[] = ordered.map((item, index) => ({
    tone: item.tone,
    html: [
      label(oneLine(item.label), item.tone),
      heading(oneLine(item.title) || m.open, item.link),
      ...(item.about === undefined ? [] : [caption(item.about)]),
      ...(item.quote === undefined
        ? item.sentence === undefined
          ? []
          : [paragraph(lines(item.sentence))]
        : [quote(item.quote.author, lines(item.quote.text))]),
      ...(item.stake === undefined ? [] : [paragraph(oneLine(item.stake))]),
      // Of a conversation, the last message leads to all of them.
      ...(isSeveral && !(isConversation(items) && index === ordered.length - 1)
        ? []
        : [button(look, item.link, m.open)]),
    ].join('\n'),
  }))
  if (isDigest || more > 0) {
    const rest = more > 0 ? [paragraph(m.more(more), true)] : []
    blocks.push({ html: [...rest, button(look, listLink, m.open)].join('\n') })
  }
  const reply = replyTo === undefined ? m.reply : m.replyByMail
  return layout(look, {
    language,
    subject,
    preview: first?.sentence ?? m.intro(details.forwarderName, accountName),
    top: replyTo === undefined ? undefined : replyMarkers[language],
    ...(isSeveral && !isConversation(items) ? { title: subject } : { subtitle: accountName }),
    blocks,
    footer: `${escapeHtml(reasonOf(m, items))} ${escapeHtml(reply)}<br>${softLink(settingsLink, m.settings)} &nbsp;&middot;&nbsp; ${softLink(unsubscribeLink, m.unsubscribe)}`,
  })
}

function isConversation(items: MailItem[]): boolean {
  return items.every(({ quote: text, link }) => text !== undefined && link === items[0]?.link)
}

// What needs somebody comes first.
const rank: Record<Tone, number> = { problem: 0, late: 1, plain: 2, done: 3 }
