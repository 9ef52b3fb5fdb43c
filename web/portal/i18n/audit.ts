import { englishAudit } from './audit-en.js'
import { frenchAudit } from './audit-fr.js'
import { useReader } from './messages.js'

export type AuditMessages = typeof englishAudit

/** These texts are loaded with the pages of the audit log, not with the first page. */
export function useAuditMessages(): AuditMessages {
  return useReader().language === 'fr' ? frenchAudit : englishAudit
}
