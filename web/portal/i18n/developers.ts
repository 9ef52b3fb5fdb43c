import { englishDevelopers } from './developers-en.js'
import { frenchDevelopers } from './developers-fr.js'
import { useReader } from './messages.js'

/** These texts are loaded with the page for developers, and with those of the office, not with the first page. */
export function useDeveloperMessages(): typeof englishDevelopers {
  return useReader().language === 'fr' ? frenchDevelopers : englishDevelopers
}
