import type { TransactionSql } from '../../database/database.js'
import { type Actor, forwarderLog, recordAudit } from '../../store/audit.js'

/** Details never include keys or secrets. */
export async function auditFeed(
  sql: TransactionSql,
  actor: Actor,
  operation: string,
  feed_id: string,
  details: Record<string, unknown>,
): Promise<void> {
  await recordAudit(sql, forwarderLog, actor, {
    kind: 'operator',
    action: 'operator_acted',
    subject: feed_id,
    details: { operation, feed_id, ...details },
  })
}
