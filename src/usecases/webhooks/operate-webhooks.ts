import type { Webhook } from '../../contract/public/webhook.js'
import { Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import { Transaction } from '../../ledger/transaction.js'
import type { Actor } from '../../store/audit.js'
import { listDeliveries } from '../../store/webhook-deliveries.js'
import { listAllWebhooks, saveWebhookState } from '../../store/webhooks.js'
import { accountScopeOf } from '../accounts/account-scope.js'
import type { OperatorHandler } from '../operator-context.js'
import { disable } from './disable-webhook.js'
import { audit, getOwn } from './manage-webhooks.js'

/** The forwarder sees the endpoints of all accounts, and can stop one. */

export const listAccountWebhooks: OperatorHandler<'listWebhooks'> = async ({ db, operator }, { query }) => {
  const { account, state, skip = 0, take = 100 } = query
  return listAllWebhooks(db, await accountScopeOf(db, operator, account), { state, skip, take })
}

export const listAccountDeliveries: OperatorHandler<'listWebhookDeliveries'> = async (
  { db, account },
  { params: { webhook_id }, query: { state, before, take = 20 } },
) => {
  await getOwn(db, account, webhook_id)
  return listDeliveries(db, account, webhook_id, { state, before, take })
}

export const disableWebhook: OperatorHandler<'disableWebhook'> = async (
  { tx, account, accountRow, actor },
  { params: { webhook_id } },
) => {
  const webhook = await getOwn(tx.sql, account, webhook_id)
  if (webhook.disabled_reason !== 'forwarder') await disable(tx, account, webhook, 'forwarder', actor)
  return { account: accountRow.slug, ...(await getOwn(tx.sql, account, webhook_id)) }
}

export const enableWebhook: OperatorHandler<'enableWebhook'> = async (
  { tx, account, accountRow, actor },
  { params: { webhook_id } },
) => ({ account: accountRow.slug, ...(await enable(tx, account, actor, webhook_id)) })

/** The forwarder also enables what the forwarder disabled. */
export async function enable(tx: Transaction, account: AccountId, actor: Actor, webhook_id: string): Promise<Webhook> {
  const webhook = await getOwn(tx.sql, account, webhook_id)
  if (webhook.disabled_reason === 'no_secret') throw new Refusal('webhook_disabled')
  if (webhook.state === 'active') return webhook
  saveWebhookState(tx, account, webhook, { state: 'active' })
  await audit(tx, account, actor, 'webhook_resumed', webhook_id, {})
  return getOwn(tx.sql, account, webhook_id)
}
