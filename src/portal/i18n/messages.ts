import { createContext, useContext } from 'react'
import type { Language } from '../../contract/portal/people.js'
import type { en } from './en.js'

/** A key that French lacks is a type error, and looking one up costs no code. */
export type Messages = typeof en

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('./en.js')).en,
  fr: async () => (await import('./fr.js')).fr,
}

export const loadMessages = (language: Language): Promise<Messages> => loaders[language]()

/** How somebody reads: what formats and messages follow. */
export type Reader = {
  language: Language
  messages: Messages
  /** A name of the IANA time zone database. */
  timeZone: string
  weightUnit: 'kg' | 'lbs'
  /** For whoever is not signed in yet: the others have it in their preferences. */
  chooseLanguage: (language: Language) => void
}

export const ReaderContext = createContext<Reader | undefined>(undefined)

export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (!reader) throw new Error('there is no reader here')
  return reader
}

export function useMessages(): Messages {
  return useReader().messages
}

const key = 'waybill.language'

/** The language before anybody has signed in: the one used here last, or else the browser's. */
export function rememberedLanguage(): Language {
  const kept = localStorage.getItem(key) ?? navigator.language
  return kept.startsWith('fr') ? 'fr' : 'en'
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(key, language)
  document.documentElement.lang = language
}
