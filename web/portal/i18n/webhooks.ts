import { useReader } from './messages.js'
import { englishWebhooks } from './webhooks-en.js'
import { frenchWebhooks } from './webhooks-fr.js'

/** These texts are loaded with the page for developers, and with those of the office, not with the first page. */
export function useWebhookMessages(): typeof englishWebhooks {
  return useReader().language === 'fr' ? frenchWebhooks : englishWebhooks
}
