import type { Language } from '../contract/portal/people.js'
import type { Mail } from './messages.js'

type Details = { supplier: string; language: Language; url: string; forwarderName: string }

const texts = {
  en: ({ supplier, forwarderName, url }) => ({
    subject: `Documents for a shipment with ${forwarderName}`,
    text: `Hello ${supplier},

Please upload the documents of a shipment that ${forwarderName} forwards. You need no account:

${url}
`,
  }),
  fr: ({ supplier, forwarderName, url }) => ({
    subject: `Documents d’une expédition avec ${forwarderName}`,
    text: `Bonjour ${supplier},

Merci d’envoyer les documents d’une expédition confiée à ${forwarderName}. Aucun compte n’est nécessaire :

${url}
`,
  }),
} satisfies Record<Language, (details: Details) => Pick<Mail, 'subject' | 'text'>>

/** The mail with the link for a supplier. */
export function supplierMail(email: string, details: Details): Mail {
  // Names are reduced to one line, so that a name cannot add paragraphs to the mail.
  const supplier = details.supplier.replaceAll(/\s+/g, ' ').trim()
  const { language, url } = details
  const action = { en: 'Upload documents', fr: 'Envoyer les documents' }[language]
  return { to: email, link: url, language, action, ...texts[language]({ ...details, supplier }) }
}
