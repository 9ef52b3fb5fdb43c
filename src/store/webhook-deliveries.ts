import type { WebhookDelivery } from '../contract/public/webhook.js'
import type { AccountId } from '../database/account-id.js'
import type { Fragment, Reader, TransactionSql } from '../database/database.js'

/** What is sent to endpoints, and how they responded. */

/** How many may wait for another attempt; then new events wait in the change log. */
export const mostWaiting = 1000

type Row = {
  delivery_id: string
  event_id: string
  type: string
  state: WebhookDelivery['state']
  content: string
  created_at: Date
  attempts: number
  next_attempt_at: Date | null
  attempted_at: Date | null
  url: string | null
  status: number | null
  milliseconds: number | null
  answer: string | null
  error: string | null
}

function columns(db: Reader): Fragment {
  return db`
    delivery_id, event_id, type, state, content, created_at, attempts, next_attempt_at, attempted_at, url, status, milliseconds,
    answer, error`
}

type Filter = { state?: WebhookDelivery['state'] | undefined; before?: string | undefined; take: number }

/** The newest first. */
export async function listDeliveries(
  db: Reader,
  account: AccountId,
  webhook_id: string,
  { state, before, take }: Filter,
): Promise<WebhookDelivery[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from webhook_deliveries
    where account_id = ${account} and webhook_id = ${webhook_id} ${state === undefined ? db`` : db`and state = ${state}`}
      and number < coalesce((
        select number from webhook_deliveries
        where account_id = ${account} and webhook_id = ${webhook_id} and delivery_id = ${before ?? null}
      ), 9223372036854775807)
    order by number desc limit ${take}`
  return rows.map(deliveryOf)
}

export async function findDelivery(
  db: Reader,
  account: AccountId,
  webhook_id: string,
  delivery_id: string,
): Promise<WebhookDelivery | undefined> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from webhook_deliveries
    where account_id = ${account} and webhook_id = ${webhook_id} and delivery_id = ${delivery_id}`
  return row && deliveryOf(row)
}

type NewDelivery = { delivery_id: string; event_id: string; type: string; content: string }

/** Asks for a delivery now. */
export function insertDelivery(
  sql: TransactionSql,
  account: AccountId,
  webhook_id: string,
  { delivery_id, event_id, type, content }: NewDelivery,
): void {
  sql.send(
    sql`
      insert into webhook_deliveries (account_id, webhook_id, delivery_id, event_id, type, content, state, next_attempt_at)
      values (${account}, ${webhook_id}, ${delivery_id}, ${event_id}, ${type}, ${content}, 'waiting', now())`,
    nudge(sql, account, webhook_id),
  )
}

/** Sends a delivery again now, with all its attempts, unless it still has some. */
export function repeatDelivery(sql: TransactionSql, account: AccountId, webhook_id: string, delivery_id: string): void {
  sql.send(
    sql`
      update webhook_deliveries
      set attempts = case when state = 'waiting' then attempts else 0 end, resent = resent or state <> 'waiting', state = 'waiting', next_attempt_at = now()
      where account_id = ${account} and webhook_id = ${webhook_id} and delivery_id = ${delivery_id}`,
    nudge(sql, account, webhook_id),
  )
}

function nudge(sql: TransactionSql, account: AccountId, webhook_id: string): Fragment {
  return sql`update webhooks set nudged = true where account_id = ${account} and webhook_id = ${webhook_id}`
}

/** Removes finished deliveries that are older than some days. */
export async function removeOldDeliveries(db: Reader, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from webhook_deliveries old using (
      select account_id, webhook_id, delivery_id from webhook_deliveries
      where state <> 'waiting' and created_at < now() - make_interval(days => ${days}) limit ${most}
    ) removed
    where old.account_id = removed.account_id and old.webhook_id = removed.webhook_id
      and old.delivery_id = removed.delivery_id and old.state <> 'waiting'
    returning old.delivery_id`
  return rows.length
}

function deliveryOf(row: Row): WebhookDelivery {
  const { delivery_id, event_id, type, state, created_at, attempts, attempted_at, milliseconds } = row
  return {
    delivery_id,
    event_id,
    type,
    state,
    created_at: created_at.toISOString(),
    attempts,
    request: {
      body: row.content,
      ...(row.url !== null && { url: row.url }),
      ...(attempted_at && { at: attempted_at.toISOString() }),
    },
    ...(state === 'waiting' && row.next_attempt_at && { next_attempt_at: row.next_attempt_at.toISOString() }),
    ...(milliseconds !== null && {
      response: {
        milliseconds,
        ...(row.status !== null && { status: row.status }),
        ...(row.answer !== null && { body: row.answer }),
        ...(row.error !== null && { error: row.error }),
      },
    }),
  }
}
