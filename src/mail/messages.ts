import type { Branding } from '../contract/operator/branding.js'
import type { Language } from '../contract/portal/people.js'
import { pagesOf, type Site } from '../contract/portal/sites.js'

/** Takes a mail to be sent, or prints its link if no mail server is set. Failures of the server are logged, not thrown. */
export type SendMail = (mail: Mail) => Promise<void>

export type Mail = {
  to: string
  subject: string
  text: string
  link: string
  html?: string | undefined
  /** The address that ends such mails, by one click (RFC 8058). */
  unsubscribe?: string | undefined
  /** Where a reply goes; the sender if it is absent. */
  replyTo?: string | undefined
  /** What its link does, for the button of a mail without HTML of its own. */
  action?: string | undefined
  language?: Language | undefined
  /** How the forwarder looks when it is sent. */
  branding?: Branding | undefined
  /** Reports what happened: nobody waits for its link. */
  isNotice?: true
  /** Called when it will be sent. */
  onTaken?(): void
}

export type MailDetails = { name: string; site: Site; accountName: string; forwarderName: string; link: string }
type Purpose = 'invitation' | 'reset'

const texts = {
  en: {
    invitation: ({ name, site, accountName, forwarderName, link }) => ({
      subject:
        site === 'office'
          ? `Your access to the office of ${forwarderName}`
          : `Your access to ${accountName} at ${forwarderName}`,
      text: `Hello ${name},

You were invited to the ${site === 'office' ? `office of ${forwarderName}` : `portal of ${forwarderName}, for ${accountName}`}. Choose a password here:

${link}

The link works once, within 7 days.
`,
    }),
    reset: ({ name, forwarderName, site, link }) => ({
      subject: `A new password for ${forwarderName}`,
      text: `Hello ${name},

A new password for the ${site} of ${forwarderName} was requested. Choose it here:

${link}

The link works once, within an hour. If you did not request it, ignore this e-mail: your password stays the same.
`,
    }),
  },
  fr: {
    invitation: ({ name, site, accountName, forwarderName, link }) => ({
      subject:
        site === 'office'
          ? `Votre accès à l’espace opérateurs de ${forwarderName}`
          : `Votre accès à ${accountName} chez ${forwarderName}`,
      text: `Bonjour ${name},

Vous êtes invité(e) sur ${site === 'office' ? `l’espace opérateurs de ${forwarderName}` : `le portail de ${forwarderName}, pour ${accountName}`}. Choisissez un mot de passe ici :

${link}

Le lien fonctionne une seule fois, pendant 7 jours.
`,
    }),
    reset: ({ name, forwarderName, site, link }) => ({
      subject: `Un nouveau mot de passe pour ${forwarderName}`,
      text: `Bonjour ${name},

Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour ${site === 'office' ? 'l’espace opérateurs' : 'le portail'} de ${forwarderName}. Choisissez-le ici :

${link}

Le lien fonctionne une seule fois, pendant une heure. Si ce n’était pas vous, il n’y a rien à faire : votre mot de passe ne change pas.
`,
    }),
  },
} satisfies Record<Language, Record<Purpose, (details: MailDetails) => Pick<Mail, 'subject' | 'text'>>>

const actions: Record<Language, Record<Purpose, string>> = {
  en: { invitation: 'Choose a password', reset: 'Choose a new password' },
  fr: { invitation: 'Choisir un mot de passe', reset: 'Choisir un nouveau mot de passe' },
}

/** The mail for an invitation or a password reset. */
export function mailOf(purpose: Purpose, to: { email: string; language: Language }, details: MailDetails): Mail {
  // Names are reduced to one line, so that a name cannot add paragraphs to the mail.
  const name = details.name.replaceAll(/\s+/g, ' ')
  const { language } = to
  const action = actions[language][purpose]
  return { to: to.email, link: details.link, language, action, ...texts[language][purpose]({ ...details, name }) }
}

/** The page for choosing a password. Browsers do not send the fragment, so the token is in no log. */
export function linkTo(base: string, site: Site, token: string): string {
  return `${base}${pagesOf[site]}/welcome#${token}`
}

/** The page with the sessions and second factors of a person: in the office it is the first one. */
export function settingsLink(base: string, site: Site): string {
  return site === 'office' ? `${base}${pagesOf.office}` : `${base}/settings`
}

type NewKeyDetails = Omit<MailDetails, 'site'> & {
  /** The last characters of the key. */
  ending: string
  /** Of the person who created it; undefined: the forwarder did. */
  address?: string
}

const newKeyTexts = {
  en: ({ name, accountName, forwarderName, link, ending, address }) => ({
    subject: `A new API key for ${accountName}`,
    text:
      address === undefined
        ? `Hello ${name},

${forwarderName} created an API key for ${accountName} that ends in ${ending}.

If you do not expect it, ask them, or revoke the key:

${link}
`
        : `Hello ${name},

An API key that ends in ${ending} was created in your name at the portal of ${forwarderName}, for ${accountName}, from the address ${address}.

If it was not you, revoke the key and change your password:

${link}
`,
  }),
  fr: ({ name, accountName, forwarderName, link, ending, address }) => ({
    subject: `Une nouvelle clé d’API pour ${accountName}`,
    text:
      address === undefined
        ? `Bonjour ${name},

${forwarderName} a créé pour ${accountName} une clé d’API qui se termine par ${ending}.

Si vous ne vous y attendez pas, renseignez-vous auprès de ${forwarderName} ou révoquez la clé :

${link}
`
        : `Bonjour ${name},

Une clé d’API qui se termine par ${ending} a été créée en votre nom sur le portail de ${forwarderName}, pour ${accountName}, depuis l’adresse ${address}.

Si ce n’était pas vous, révoquez la clé et changez votre mot de passe :

${link}
`,
  }),
} satisfies Record<Language, (details: NewKeyDetails) => Pick<Mail, 'subject' | 'text'>>

/** Notifies somebody of a new key. */
export function newKeyMail(to: { email: string; language: Language }, details: NewKeyDetails): Mail {
  const name = details.name.replaceAll(/\s+/g, ' ')
  const { language } = to
  const action = { en: 'Show the API keys', fr: 'Voir les clés d’API' }[language]
  return { to: to.email, link: '', isNotice: true, language, action, ...newKeyTexts[language]({ ...details, name }) }
}
