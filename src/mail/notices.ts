import type { Language } from '../contract/portal/people.js'
import type { Site } from '../contract/portal/sites.js'
import type { Mail } from './messages.js'

/** Mails that notify a person of what happened to their access. */

export type NoticeOccasion = 'new_device' | 'password_changed'

type Details = {
  name: string
  site: Site
  forwarderName: string
  link: string
  /** The IP address of the client. */
  address: string
  at: Date
  browser?: string
  system?: string
}

const texts = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    new_device: {
      subject: (forwarder: string) => `New sign-in to ${forwarder}`,
      text: (site: Site) => `Somebody signed in to the ${site} with your account on a device that is new to us:`,
    },
    password_changed: {
      subject: (forwarder: string) => `Your password for ${forwarder} was changed`,
      text: (site: Site) => `Your password for the ${site} was changed:`,
    },
    unknown: 'Unknown device',
    on: 'on',
    action: 'Show sessions',
    remedy: 'If this was not you, change your password and end the session here:',
  },
  fr: {
    hello: (name: string) => `Bonjour ${name},`,
    new_device: {
      subject: (forwarder: string) => `Nouvelle connexion à ${forwarder}`,
      text: (site: Site) =>
        `Une connexion ${site === 'office' ? 'à l’espace opérateurs' : 'au portail'} a eu lieu avec votre compte depuis un appareil que nous ne connaissions pas :`,
    },
    password_changed: {
      subject: (forwarder: string) => `Votre mot de passe pour ${forwarder} a été changé`,
      text: (site: Site) =>
        `Votre mot de passe pour ${site === 'office' ? 'l’espace opérateurs' : 'le portail'} a été changé :`,
    },
    unknown: 'Appareil inconnu',
    on: 'sur',
    action: 'Voir les sessions',
    remedy: 'Si ce n’était pas vous, changez votre mot de passe et fermez la session ici :',
  },
} satisfies Record<Language, object>

export function noticeOf(occasion: NoticeOccasion, to: { email: string; language: Language }, details: Details): Mail {
  const m = texts[to.language]
  const { site, forwarderName, link, address, at, browser, system } = details
  // Names are reduced to one line, so that a name cannot add paragraphs to the mail.
  const name = details.name.replaceAll(/\s+/g, ' ')
  const device = browser && system ? `${browser} ${m.on} ${system}` : (browser ?? system ?? m.unknown)
  const facts = [device, address, `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`].filter(
    (fact) => fact !== '',
  )
  const text = `${m.hello(name)}\n\n${m[occasion].text(site)}\n\n${facts.join('\n')}\n\n${m.remedy}\n\n${link}\n`
  const { language } = to
  return {
    to: to.email,
    subject: m[occasion].subject(forwarderName),
    text,
    link,
    language,
    action: m.action,
    isNotice: true,
  }
}
