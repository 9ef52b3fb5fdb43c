import type { DisabledReason, Webhook } from '../../contract/public/webhook.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { serviceAuthor } from '../../domain/exceptions/episodes.js'
import { commit } from '../../ledger/commit.js'
import { Transaction } from '../../ledger/transaction.js'
import { disabledWebhookMail } from '../../mail/webhook-mail.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { insertMail } from '../../store/mails.js'
import { listAdmins } from '../../store/people.js'
import { findWebhook, saveWebhookState } from '../../store/webhooks.js'

/** How admins are notified; undefined: no mail server is set. */
export type DisabledMail = { base: string; forwarderName: string } | undefined

/** Disables an endpoint that cannot be delivered to: an event, and a mail to the admins of the account. */
export async function disableFailing(
  db: Database,
  account: AccountId,
  webhook_id: string,
  reason: DisabledReason,
  mail: DisabledMail,
): Promise<void> {
  await commit(db, account, serviceAuthor, async (tx) => {
    const webhook = await findWebhook(tx.sql, account, webhook_id)
    if (webhook?.state !== 'active') return
    await disable(tx, account, webhook, reason, { actor: serviceAuthor })
    if (!mail) return
    // In the same transaction: the outbox sends them.
    for (const admin of await listAdmins(tx.sql, account))
      await insertMail(tx.sql, disabledWebhookMail(admin, { ...mail, url: webhook.url, reason }))
  })
}

export async function disable(
  tx: Transaction,
  account: AccountId,
  webhook: Webhook,
  reason: DisabledReason,
  actor: Actor,
): Promise<void> {
  saveWebhookState(tx, account, webhook, { state: 'disabled', reason })
  const { webhook_id, url } = webhook
  await recordAudit(tx.sql, account, actor, {
    kind: 'webhook',
    action: 'webhook_disabled',
    subject: webhook_id,
    details: { url, reason },
  })
}
