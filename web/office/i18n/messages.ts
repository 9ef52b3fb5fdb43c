import { useReader } from '../../portal/i18n/messages.js'
import { en } from './en.js'
import { fr } from './fr.js'

/** Texts of the office. Those that it shares with the portal are the portal's. */

/** A text that French lacks is a type error. */
export type OfficeMessages = typeof en

const messages = { en, fr }

export function useOfficeMessages(): OfficeMessages {
  return messages[useReader().language]
}
