import type { DisabledReason, Webhook } from '../contract/public/webhook.js'
import type { AccountId, AccountScope } from '../database/account-id.js'
import type { Fragment, Reader } from '../database/database.js'
import { inScope } from './account-scope.js'
import type { Actor } from './audit.js'
import type { RecordedWrite } from './write.js'

/** Endpoints that events are sent to: what the account sets, and whether they are active. */

export type WebhookSettings = Pick<Webhook, 'url' | 'types' | 'kinds' | 'ordered'> & { description: string | undefined }

/** Begins after the changes of this write. */
export function insertWebhook(
  tx: RecordedWrite,
  account: AccountId,
  webhook_id: string,
  settings: WebhookSettings,
  { actor, actor_name }: Actor,
): void {
  const { url, types, kinds, ordered, description } = settings
  // The name of a person is looked up where the caller does not know it.
  const person_id = actor.replace(/^person:/, '')
  tx.sql.send(tx.sql`
    insert into webhooks (account_id, webhook_id, url, types, kinds, ordered, description, created_by, created_by_name,
      revision, kind, id)
    values (${account}, ${webhook_id}, ${url}, ${types}::text[], ${kinds}::text[], ${ordered}, ${description ?? null}, ${actor},
      coalesce(${actor_name ?? null}, (select name from people where account_id = ${account} and person_id = ${person_id})),
      ${tx.revision}, '~', '')`)
  tx.record([{ kind: 'webhook', id: webhook_id, what: 'created', record: JSON.stringify({ webhook_id, ...settings }) }])
}

export function saveWebhookSettings(
  tx: RecordedWrite,
  account: AccountId,
  webhook_id: string,
  settings: WebhookSettings,
): void {
  const { url, types, kinds, ordered, description } = settings
  tx.sql.send(tx.sql`
    update webhooks
    set url = ${url}, types = ${types}::text[], kinds = ${kinds}::text[], ordered = ${ordered},
      description = ${description ?? null}, held = false, nudged = true
    where account_id = ${account} and webhook_id = ${webhook_id}`)
  tx.record([{ kind: 'webhook', id: webhook_id, what: 'updated', record: JSON.stringify({ webhook_id, ...settings }) }])
}

export type WebhookState = { state: Webhook['state']; reason?: DisabledReason | undefined }

/** Deliveries that wait are sent at once when it is active again. */
export function saveWebhookState(
  tx: RecordedWrite,
  account: AccountId,
  { webhook_id, url, types, kinds, ordered, description }: Webhook,
  { state, reason }: WebhookState,
): void {
  const isActive = state === 'active'
  if (isActive)
    tx.sql.send(tx.sql`
      update webhook_deliveries set next_attempt_at = now()
      where account_id = ${account} and webhook_id = ${webhook_id} and state = 'waiting'`)
  tx.sql.send(tx.sql`
    update webhooks
    set state = ${state}, disabled_reason = ${reason ?? null}, nudged = ${isActive},
      failures = case when ${isActive} then 0 else failures end,
      failing_since = case when ${isActive} then null else failing_since end
    where account_id = ${account} and webhook_id = ${webhook_id}`)
  const record = { webhook_id, url, types, kinds, ordered, description, state, ...(reason && { disabled: reason }) }
  tx.record([{ kind: 'webhook', id: webhook_id, what: 'updated', record: JSON.stringify(record) }])
}

/** With its secrets and deliveries. */
export function removeWebhookRow(tx: RecordedWrite, account: AccountId, webhook_id: string): void {
  tx.sql.send(tx.sql`delete from webhooks where account_id = ${account} and webhook_id = ${webhook_id}`)
  tx.record([{ kind: 'webhook', id: webhook_id, what: 'removed' }])
}

export async function countWebhooks(db: Reader, account: AccountId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from webhooks where account_id = ${account}`
  return row?.count ?? 0
}

type Row = Omit<Webhook, 'position' | 'created_at' | OptionalText | OptionalTime> &
  Record<OptionalText, string | null> &
  Record<OptionalTime, Date | null> & {
    created_at: Date
    revision: number
    waiting: number
    has_secret: boolean
  }
type OptionalText = 'description' | 'created_by_name' | 'disabled_reason'
type OptionalTime = 'failing_since' | 'last_success_at' | 'old_secret_until'

function columns(db: Reader): Fragment {
  return db`
    webhook_id, url, types, kinds, ordered, description, state, disabled_reason, webhooks.created_at, created_by, created_by_name,
    webhooks.revision, failing_since, last_success_at,
    (
      select count(*)::integer from webhook_deliveries waiting
      where waiting.account_id = webhooks.account_id and waiting.webhook_id = webhooks.webhook_id and waiting.state = 'waiting'
    ) as waiting,
    (
      select max(until) from webhook_secrets secrets
      where secrets.account_id = webhooks.account_id and secrets.webhook_id = webhooks.webhook_id and until > now()
    ) as old_secret_until,
    exists (
      select from webhook_secrets secrets
      where secrets.account_id = webhooks.account_id and secrets.webhook_id = webhooks.webhook_id and until is null
    ) as has_secret`
}

/** The oldest first. */
export async function listWebhookRows(db: Reader, account: AccountId): Promise<Webhook[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from webhooks where account_id = ${account} order by created_at, webhook_id`
  return rows.map(webhookOf)
}

export async function findWebhook(db: Reader, account: AccountId, webhook_id: string): Promise<Webhook | undefined> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from webhooks where account_id = ${account} and webhook_id = ${webhook_id}`
  return row && webhookOf(row)
}

export async function findWebhookAccount(db: Reader, webhook_id: string): Promise<AccountId | undefined> {
  const [row] = await db<{ account_id: AccountId }[]>`select account_id from webhooks where webhook_id = ${webhook_id}`
  return row?.account_id
}

type AllFilter = { state?: Webhook['state'] | undefined; skip: number; take: number }

/** Of several accounts, with their names. */
export async function listAllWebhooks(
  db: Reader,
  scope: AccountScope,
  { state, skip, take }: AllFilter,
): Promise<(Webhook & { account: string })[]> {
  const rows = await db<(Row & { slug: string })[]>`
    select slug, ${columns(db)} from webhooks join accounts using (account_id)
    where ${inScope(db, scope, db`webhooks.account_id`)}
      ${state === undefined ? db`` : db`and state = ${state}`}
    order by slug, webhooks.created_at, webhook_id offset ${skip} limit ${take}`
  return rows.map(({ slug, ...row }) => ({ account: slug, ...webhookOf(row) }))
}

function webhookOf(row: Row): Webhook {
  const { revision, waiting, has_secret, created_at, state, ...rest } = row
  const {
    description,
    created_by_name,
    disabled_reason,
    failing_since,
    last_success_at,
    old_secret_until,
    ...webhook
  } = rest
  // A restored backup has no secrets: nothing is sent from it.
  const isUnsigned = !has_secret && state !== 'disabled'
  const reason = isUnsigned ? 'no_secret' : (disabled_reason as DisabledReason | null)
  return {
    ...webhook,
    state: isUnsigned ? 'disabled' : state,
    created_at: created_at.toISOString(),
    position: { revision, waiting },
    ...(description !== null && { description }),
    ...(created_by_name !== null && { created_by_name }),
    ...(reason !== null && { disabled_reason: reason }),
    ...(failing_since && { failing_since: failing_since.toISOString() }),
    ...(last_success_at && { last_success_at: last_success_at.toISOString() }),
    ...(old_secret_until && { old_secret_until: old_secret_until.toISOString() }),
  }
}
