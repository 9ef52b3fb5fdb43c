import { randomBytes } from 'node:crypto'
import { businessTime } from '../../clock/clock.js'
import type { WebhookDelivery } from '../../contract/public/webhook.js'
import { invalid, Refusal } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { day } from '../../domain/dates/local-time.js'
import { afterRevision, type ChangePosition } from '../../ledger/changes.js'
import { findRevisionAt } from '../../ledger/history.js'
import {
  findDelivery,
  insertDelivery,
  listDeliveries,
  mostWaiting,
  repeatDelivery,
} from '../../store/webhook-deliveries.js'
import { moveEndpoint, testType } from '../../store/webhook-queue.js'
import type { CustomerHandler } from '../customer-context.js'
import { readEvents } from '../events/read-events.js'
import { contentOf, newDeliveryId } from './endpoint-turn.js'
import { audit, getOwn, refuseMembers } from './manage-webhooks.js'

/** What was sent to an endpoint, and what is sent again. */

export const listWebhookDeliveries: CustomerHandler<'listWebhookDeliveries'> = async (
  { ask, account },
  { params: { webhook_id }, query: { state, before, take = 20 } },
) => {
  const deliveries = await ask(async (db) => {
    await getOwn(db, account, webhook_id)
    return listDeliveries(db, account, webhook_id, { state, before, take })
  })
  return { body: JSON.stringify(deliveries), revision: 0, id: webhook_id }
}

export const testWebhook: CustomerHandler<'testWebhook'> = async (context, { params: { webhook_id } }) => {
  const { tx, account } = context
  await refuseMembers(context)
  const webhook = await getOwn(tx.sql, account, webhook_id)
  if (webhook.state === 'paused') throw new Refusal('webhook_disabled', 'The endpoint is paused: resume it before.')
  if (webhook.state === 'disabled') throw new Refusal('webhook_disabled')
  if (webhook.position.waiting >= 2 * mostWaiting) throw new Refusal('too_many_deliveries')
  const id = `evt_test_${randomBytes(16).toString('base64url')}`
  const object = { kind: 'webhook', id: webhook_id }
  const at = new Date(businessTime()).toISOString()
  const event = { id, type: testType, at, revision: webhook.position.revision, object, what: 'updated' }
  const delivery_id = newDeliveryId()
  const content = contentOf(testType, at, event)
  insertDelivery(tx.sql, account, webhook_id, { delivery_id, event_id: id, type: testType, content })
  return getDelivery(tx.sql, account, webhook_id, delivery_id)
}

export const resendWebhookDelivery: CustomerHandler<'resendWebhookDelivery'> = async (
  context,
  { params: { webhook_id, delivery_id } },
) => {
  const { tx, account } = context
  await refuseMembers(context)
  await getOwn(tx.sql, account, webhook_id)
  await getDelivery(tx.sql, account, webhook_id, delivery_id)
  repeatDelivery(tx.sql, account, webhook_id, delivery_id)
  return getDelivery(tx.sql, account, webhook_id, delivery_id)
}

async function getDelivery(
  db: Reader,
  account: AccountId,
  webhook_id: string,
  delivery_id: string,
): Promise<WebhookDelivery> {
  const delivery = await findDelivery(db, account, webhook_id, delivery_id)
  if (!delivery) throw new Refusal('delivery_not_found')
  return delivery
}

export const replayWebhook: CustomerHandler<'replayWebhook'> = async (context, { params: { webhook_id }, body }) => {
  const { tx, account, actor, eventDays } = context
  await refuseMembers(context)
  await getOwn(tx.sql, account, webhook_id)
  const { from, event_id } = body
  if ((from === undefined) === (event_id === undefined))
    throw invalid([{ pointer: '/from', detail: 'give either this or the event to begin with' }])
  const position =
    event_id === undefined
      ? await positionAt(tx.sql, account, from as string, eventDays)
      : await positionBefore(tx.sql, account, event_id, eventDays)
  await moveEndpoint(tx.sql, account, webhook_id, position)
  await audit(tx, account, actor, 'webhook_replayed', webhook_id, { ...body })
  return getOwn(tx.sql, account, webhook_id)
}

async function positionAt(db: Reader, account: AccountId, from: string, days: number): Promise<ChangePosition> {
  if (Date.parse(from) < businessTime() - days * day)
    throw invalid([{ pointer: '/from', detail: `must be within the last ${days} days` }])
  return afterRevision(await findRevisionAt(db, account, new Date(from).toISOString()))
}

async function positionBefore(db: Reader, account: AccountId, event_id: string, days: number): Promise<ChangePosition> {
  const revision = Number(/^evt_(\d{1,15})_/.exec(event_id)?.[1] ?? Number.NaN)
  const unknown = invalid([{ pointer: '/event_id', detail: `must be an event of the last ${days} days` }])
  if (!(revision > 0)) throw unknown
  const { epoch } = await readServiceSecrets(db)
  let position = afterRevision(revision - 1)
  for (;;) {
    const page = await readEvents(db, { account, epoch }, position, { types: undefined, limit: 1, upTo: revision })
    const [event] = page.events
    if (event?.id === event_id && Date.parse(event.at) >= businessTime() - days * day) return position
    if (!page.hasMore) throw unknown
    position = page.position
  }
}
