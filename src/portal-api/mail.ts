import type { Language } from '../contract/portal/people.js'

/** Sends a mail, or tells its link where no mail server is set. One that cannot be sent is told in the log. */
export type SendMail = (mail: Mail) => Promise<void>

export type Mail = { to: string; subject: string; text: string; link: string }

type Told = { name: string; accountName: string; forwarderName: string; link: string }
type Purpose = 'invitation' | 'reset'

const texts = {
  en: {
    invitation: ({ name, accountName, forwarderName, link }) => ({
      subject: `Your access to ${accountName} at ${forwarderName}`,
      text: `Hello ${name},

you were invited to the portal of ${forwarderName}, for ${accountName}. Choose a password here:

${link}

The link works once, within 7 days.
`,
    }),
    reset: ({ name, forwarderName, link }) => ({
      subject: `A new password for ${forwarderName}`,
      text: `Hello ${name},

somebody, probably you, asked for a new password for the portal of ${forwarderName}. Choose it here:

${link}

The link works once, within an hour. If it was not you, there is nothing to do: your password stays as it is.
`,
    }),
  },
  fr: {
    invitation: ({ name, accountName, forwarderName, link }) => ({
      subject: `Votre accès à ${accountName} chez ${forwarderName}`,
      text: `Bonjour ${name},

vous êtes invité(e) sur le portail de ${forwarderName}, pour ${accountName}. Choisissez un mot de passe ici :

${link}

Le lien fonctionne une seule fois, pendant 7 jours.
`,
    }),
    reset: ({ name, forwarderName, link }) => ({
      subject: `Un nouveau mot de passe pour ${forwarderName}`,
      text: `Bonjour ${name},

quelqu'un, sans doute vous, a demandé un nouveau mot de passe pour le portail de ${forwarderName}. Choisissez-le ici :

${link}

Le lien fonctionne une seule fois, pendant une heure. Si ce n'était pas vous, il n'y a rien à faire : votre mot de passe ne change pas.
`,
    }),
  },
} satisfies Record<Language, Record<Purpose, (told: Told) => Pick<Mail, 'subject' | 'text'>>>

/** What somebody who is invited, or who has forgotten a password, is sent. */
export function mailOf(purpose: Purpose, to: { email: string; language: Language }, told: Told): Mail {
  // A name is one line, whoever chose it: nobody writes a mail of their own in our name.
  const name = told.name.replaceAll(/\s+/g, ' ')
  return { to: to.email, link: told.link, ...texts[to.language][purpose]({ ...told, name }) }
}

/** Where the portal lets somebody choose a password. */
export function linkTo(base: string, token: string): string {
  return `${base}/welcome/${token}`
}
