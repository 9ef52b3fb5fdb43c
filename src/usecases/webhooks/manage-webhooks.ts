import { randomBytes } from 'node:crypto'
import type { Webhook } from '../../contract/public/webhook.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { Transaction } from '../../ledger/transaction.js'
import { type Actor, recordAudit } from '../../store/audit.js'
import { findPerson } from '../../store/people.js'
import { addWebhookSecret } from '../../store/webhook-secrets.js'
import {
  countWebhooks,
  findWebhook,
  insertWebhook,
  listWebhookRows,
  removeWebhookRow,
  saveWebhookSettings,
  saveWebhookState,
} from '../../store/webhooks.js'
import type { CustomerHandler, WriteContext } from '../customer-context.js'
import { newWebhookSecret } from './signature.js'
import { faultOfUrl } from './webhook-request.js'

/** An account sets which of its systems events are sent to. */

const mostWebhooks = 20

/** Names are looked up before the account is locked. */
export async function checkUrl(url: string | undefined, allowsPrivate: boolean): Promise<void> {
  const fault = url === undefined ? undefined : await faultOfUrl(url, allowsPrivate)
  if (fault !== undefined) throw invalid([{ pointer: '/url', detail: fault }])
}

export const createWebhook: CustomerHandler<'createWebhook'> = async (context, { body }) => {
  const { tx, account, actor, prepared } = context
  await refuseMembers(context)
  await prepared
  if ((await countWebhooks(tx.sql, account)) >= mostWebhooks) throw new Refusal('too_many_webhooks')
  const webhook_id = `wh_${randomBytes(12).toString('hex')}`
  const { url, types = [], kinds = [], ordered = false, description } = body
  insertWebhook(tx, account, webhook_id, { url, types, kinds, ordered, description: description || undefined }, actor)
  const secret = newWebhookSecret()
  await addWebhookSecret(tx.sql, account, webhook_id, secret)
  await audit(tx, account, actor, 'webhook_created', webhook_id, { url, types, kinds, ordered })
  return { webhook: await getOwn(tx.sql, account, webhook_id), secret }
}

export const listWebhooks: CustomerHandler<'listWebhooks'> = async ({ ask, account }) => {
  const webhooks = await ask((db) => listWebhookRows(db, account))
  return { body: JSON.stringify(webhooks), revision: 0, id: '' }
}

export const getWebhook: CustomerHandler<'getWebhook'> = async ({ ask, account }, { params: { webhook_id } }) => {
  const webhook = await ask((db) => getOwn(db, account, webhook_id))
  return { body: JSON.stringify(webhook), revision: 0, id: webhook_id }
}

export const updateWebhook: CustomerHandler<'updateWebhook'> = async (context, { params: { webhook_id }, body }) => {
  const { tx, account, actor, prepared } = context
  await refuseMembers(context)
  const { url, types, kinds, ordered, description } = await getOwn(tx.sql, account, webhook_id)
  await prepared
  const settings = { url, types, kinds, ordered, description, ...body }
  saveWebhookSettings(tx, account, webhook_id, { ...settings, description: settings.description || undefined })
  await audit(tx, account, actor, 'webhook_changed', webhook_id, { ...body })
  return getOwn(tx.sql, account, webhook_id)
}

export const deleteWebhook: CustomerHandler<'deleteWebhook'> = async (context, { params: { webhook_id } }) => {
  const { tx, account, actor } = context
  await refuseMembers(context)
  const { url } = await getOwn(tx.sql, account, webhook_id)
  removeWebhookRow(tx, account, webhook_id)
  await audit(tx, account, actor, 'webhook_removed', webhook_id, { url })
  return { webhook_id }
}

export const pauseWebhook: CustomerHandler<'pauseWebhook'> = async (context, { params: { webhook_id } }) => {
  const { tx, account, actor } = context
  await refuseMembers(context)
  const webhook = await getOwn(tx.sql, account, webhook_id)
  if (webhook.state === 'disabled') throw new Refusal('webhook_disabled')
  if (webhook.state === 'paused') return webhook
  saveWebhookState(tx, account, webhook, { state: 'paused' })
  await audit(tx, account, actor, 'webhook_paused', webhook_id, {})
  return getOwn(tx.sql, account, webhook_id)
}

export const resumeWebhook: CustomerHandler<'resumeWebhook'> = async (context, { params: { webhook_id } }) => {
  const { tx, account, actor } = context
  await refuseMembers(context)
  const webhook = await getOwn(tx.sql, account, webhook_id)
  if (webhook.state === 'active') return webhook
  // What the forwarder disabled, the forwarder enables.
  const { disabled_reason: reason } = webhook
  if (reason === 'forwarder' || reason === 'no_secret') throw new Refusal('webhook_disabled')
  saveWebhookState(tx, account, webhook, { state: 'active' })
  await audit(tx, account, actor, 'webhook_resumed', webhook_id, {})
  return getOwn(tx.sql, account, webhook_id)
}

export const rotateWebhookSecret: CustomerHandler<'rotateWebhookSecret'> = async (
  context,
  { params: { webhook_id }, body: { overlap_hours = 24 } },
) => {
  const { tx, account, actor } = context
  await refuseMembers(context)
  await getOwn(tx.sql, account, webhook_id)
  const secret = newWebhookSecret()
  await addWebhookSecret(tx.sql, account, webhook_id, secret, overlap_hours)
  await audit(tx, account, actor, 'webhook_secret_rotated', webhook_id, { overlap_hours })
  return { webhook: await getOwn(tx.sql, account, webhook_id), secret }
}

/** What happens in an account leaves it by an endpoint: among people, admins decide that, as with keys. */
export async function refuseMembers({ tx, account, actor: { actor } }: WriteContext): Promise<void> {
  if (!actor.startsWith('person:')) return
  const person = await findPerson(tx.sql, account, actor.slice('person:'.length))
  if (person?.role !== 'admin') throw new Refusal('insufficient_role', 'Only admins manage webhooks.')
}

export async function getOwn(db: Reader, account: AccountId, webhook_id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, account, webhook_id)
  if (!webhook) throw new Refusal('webhook_not_found')
  return webhook
}

type WebhookAction =
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_removed'
  | 'webhook_paused'
  | 'webhook_resumed'
  | 'webhook_secret_rotated'
  | 'webhook_replayed'

/** Details never include secrets. */
export async function audit(
  { sql }: Pick<Transaction, 'sql'>,
  account: AccountId,
  actor: Actor,
  action: WebhookAction,
  subject: string,
  details: Record<string, unknown>,
): Promise<void> {
  await recordAudit(sql, account, actor, { kind: 'webhook', action, subject, details })
}
