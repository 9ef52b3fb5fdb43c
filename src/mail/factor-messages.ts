import type { Language } from '../contract/portal/people.js'
import type { Mail, MailDetails } from './messages.js'

/** Mails about changed second factors, so that nobody changes them unnoticed. */

const changes = {
  en: {
    totp_added: 'An authenticator app was added to your account.',
    totp_removed: 'The authenticator app was removed from your account.',
    passkey_added: 'A passkey was added to your account.',
    passkey_removed: 'A passkey was removed from your account.',
    recovery_codes_renewed: 'New recovery codes were created for your account. The earlier ones no longer work.',
    recovery_code_used: 'Somebody signed in to your account with one of your recovery codes.',
    factors_removed: 'An administrator removed all second factors from your account.',
  },
  fr: {
    totp_added: 'Une application d’authentification a été ajoutée à votre compte.',
    totp_removed: 'L’application d’authentification a été retirée de votre compte.',
    passkey_added: 'Une clé d’accès a été ajoutée à votre compte.',
    passkey_removed: 'Une clé d’accès a été retirée de votre compte.',
    recovery_codes_renewed:
      'De nouveaux codes de secours ont été créés pour votre compte. Les précédents ne fonctionnent plus.',
    recovery_code_used: 'Quelqu’un s’est connecté à votre compte avec l’un de vos codes de secours.',
    factors_removed: 'Un administrateur a retiré tous les seconds facteurs de votre compte.',
  },
} as const satisfies Record<Language, Record<string, string>>

export type FactorChange = keyof (typeof changes)['en']

const texts = {
  en: ({ name, site, accountName, forwarderName, link }: MailDetails, change: string) => ({
    subject: `Sign-in security changed at ${forwarderName}`,
    text: `Hello ${name},

${change} It concerns the ${site} of ${forwarderName}${site === 'office' ? '' : `, for ${accountName}`}.

If this was you, there is nothing to do. If not, change your password and tell an administrator of your company:

${link}
`,
  }),
  fr: ({ name, site, accountName, forwarderName, link }: MailDetails, change: string) => ({
    subject: `Sécurité de connexion modifiée chez ${forwarderName}`,
    text: `Bonjour ${name},

${change} Il s’agit ${site === 'office' ? `de l’espace opérateurs de ${forwarderName}` : `du portail de ${forwarderName}, pour ${accountName}`}.

Si c’était vous, il n’y a rien à faire. Sinon, changez votre mot de passe et prévenez un administrateur de votre entreprise :

${link}
`,
  }),
} satisfies Record<Language, unknown>

export function factorMail(
  change: FactorChange,
  to: { email: string; language: Language },
  details: MailDetails,
): Mail {
  // Names are reduced to one line, so that a name cannot add paragraphs to the mail.
  const name = details.name.replaceAll(/\s+/g, ' ')
  return {
    to: to.email,
    link: details.link,
    isNotice: true,
    language: to.language,
    action: { en: 'Show sign-in settings', fr: 'Voir les réglages de connexion' }[to.language],
    ...texts[to.language]({ ...details, name }, changes[to.language][change]),
  }
}
