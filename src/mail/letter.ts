import { escapeHtml } from '../contract/html.js'
import type { Branding } from '../contract/operator/branding.js'
import type { Language } from '../contract/portal/people.js'
import { button, layout, logoId, note, paragraph, usualColor } from './layout.js'
import type { Mail } from './messages.js'

/** The HTML of mails that are a letter: paragraphs, of which the last address becomes a button. */

type Sender = { forwarderName: string; branding?: Branding | undefined }

const texts: Record<Language, { open: string; address: string; sentBy(forwarder: string): string }> = {
  en: {
    open: 'Open',
    address: 'If the button does not work, copy this address into your browser:',
    sentBy: (forwarder) => `Sent automatically by ${forwarder}. Replies to this address are not read.`,
  },
  fr: {
    open: 'Ouvrir',
    address: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
    sentBy: (forwarder) => `Envoyé automatiquement par ${forwarder}. Les réponses à cette adresse ne sont pas lues.`,
  },
}

/** The HTML of a mail, and the PNG that it shows as the forwarder's logo. */
export function htmlOf(mail: Mail, forwarderName: string): { html: string; logo: string | undefined } {
  const { branding } = mail
  const html = mail.html ?? letterHtml(mail, { forwarderName, branding })
  return { html, logo: html.includes(`cid:${logoId}`) ? branding?.logo : undefined }
}

const address = /^https?:\/\/\S+$/

function letterHtml(
  { subject, text, action, language = 'en' }: Pick<Mail, 'subject' | 'text' | 'action' | 'language'>,
  { forwarderName, branding = {} }: Sender,
): string {
  const m = texts[language]
  const { color = usualColor, logo } = branding
  const look = { forwarderName, color, hasLogo: logo !== undefined }
  const paragraphs = text.trim().split(/\n{2,}/)
  const link = paragraphs.findLast((each) => address.test(each))
  const [greeting = '', first = greeting] = paragraphs
  const parts = paragraphs.map((each, index) => {
    if (each === link) return button(look, each, action ?? m.open)
    return `<div style="padding-top:${index === 0 ? 0 : 12}px">${paragraph(each, true)}</div>`
  })
  // Where the button cannot be clicked.
  if (link !== undefined) parts.push(note(`${escapeHtml(m.address)}<br>${escapeHtml(link)}`))
  return layout(look, {
    language,
    subject,
    preview: first,
    blocks: [{ html: parts.join('\n') }],
    footer: escapeHtml(m.sentBy(forwarderName)),
  })
}
