import type { Language } from '../contract/portal/people.js'
import type { DisabledReason } from '../contract/public/webhook.js'
import type { Mail } from './messages.js'

/** The mail to an admin whose endpoint was disabled. */

type Details = { base: string; forwarderName: string; url: string; reason: DisabledReason }

const texts = {
  en: {
    subject: (forwarder: string) => `A webhook of ${forwarder} was disabled`,
    hello: (name: string) => `Hello ${name},`,
    text: 'Events are no longer sent to this address:',
    reason: {
      gone: 'It responded that it is gone (410).',
      failing: 'Nothing could be delivered to it for 5 days.',
      forwarder: 'The forwarder disabled it.',
      no_secret: 'It has no secret.',
    },
    action: 'Show the webhook',
    remedy: 'Nothing is lost: resume it here when it works again, and it gets everything that happened meanwhile.',
  },
  fr: {
    subject: (forwarder: string) => `Un webhook de ${forwarder} a été désactivé`,
    hello: (name: string) => `Bonjour ${name},`,
    text: 'Les événements ne sont plus envoyés à cette adresse :',
    reason: {
      gone: 'Elle a répondu qu’elle n’existe plus (410).',
      failing: 'Rien n’a pu lui être livré pendant 5 jours.',
      forwarder: 'Le transitaire l’a désactivé.',
      no_secret: 'Il n’a pas de secret.',
    },
    action: 'Voir le webhook',
    remedy:
      'Rien n’est perdu : réactivez-le ici dès qu’il fonctionne, et il recevra tout ce qui s’est passé entre-temps.',
  },
} satisfies Record<Language, object>

export function disabledWebhookMail(
  to: { email: string; name: string; language: Language },
  { base, forwarderName, url, reason }: Details,
): Mail {
  const m = texts[to.language]
  // Names are reduced to one line, so that a name cannot add paragraphs to the mail.
  const name = to.name.replaceAll(/\s+/g, ' ')
  const link = `${base}/developers`
  const text = `${m.hello(name)}\n\n${m.text}\n\n${url}\n\n${m.reason[reason]} ${m.remedy}\n\n${link}\n`
  const { language } = to
  const subject = m.subject(forwarderName)
  return { to: to.email, subject, text, link, language, action: m.action, isNotice: true }
}
