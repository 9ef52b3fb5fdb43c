import { createContext, useContext } from 'react'
import type { Language } from '../../../src/contract/portal/people.js'
import { site } from '../site.js'
import type { en } from './en.js'

/** A text that French lacks is a type error. */
export type Messages = typeof en

const loaders: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('./en.js')).en,
  fr: async () => (await import('./fr.js')).fr,
}

export const loadMessages = (language: Language): Promise<Messages> => loaders[language]()

/** The reader's language, time zone and units. */
export type Reader = {
  language: Language
  messages: Messages
  /** A name of the IANA time zone database. */
  timeZone: string
  weightUnit: 'kg' | 'lbs'
  /** For visitors; signed-in people have a preference. */
  chooseLanguage: (language: Language) => void
}

export const ReaderContext = createContext<Reader | undefined>(undefined)

export function useReader(): Reader {
  const reader = useContext(ReaderContext)
  if (!reader) throw new Error('ReaderContext is missing')
  return reader
}

export function useMessages(): Messages {
  return useReader().messages
}

/** The name of the portal or the office. */
export function useProductName(): string {
  const { common, office } = useMessages()
  return site === 'office' ? office.productName : common.productName
}

const key = 'waybill.language'

/** The language of visitors: the last one used in this browser, or the browser's own. */
export function storedLanguage(): Language {
  const stored = localStorage.getItem(key) ?? navigator.language
  return stored.startsWith('fr') ? 'fr' : 'en'
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(key, language)
  document.documentElement.lang = language
}
