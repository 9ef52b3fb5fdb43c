import type { EventKind, EventType } from '../contract/public/event.js'
import type { AccountId } from '../database/account-id.js'
import { asJson, type Database, type Fragment, type Reader } from '../database/database.js'
import { decrypt } from './encrypted-value.js'

/**
 * Which endpoint is sent to by which process. A process leases an endpoint for a turn: no other sends to it meanwhile, and if the
 * process ends, the lease does. Only the holder of the lease saves what it sent, together with the position after it.
 */

export type Endpoint = {
  account_id: AccountId
  webhook_id: string
  url: string
  types: EventType[]
  kinds: EventKind[]
  ordered: boolean
  position: { revision: number; kind: string; id: string }
  failures: number
  failing_since: Date | null
  last_success_at: Date | null
  /** Whether deliveries may wait for another attempt. */
  hasWaiting: boolean
  secrets: string[]
  /** Of the database: a part of the identifiers of events. */
  epoch: string
  lease: string
}

/** The type of events that a user asks for. */
export const testType = 'webhook.test'

type LeaseOptions = {
  lease: string
  seconds: number
  most: number
  /** Endpoints with so many failures in a row, or with fewer. */
  failing: { from: number; isFailing: boolean }
}

/** Leases up to `most` endpoints that have something to send, or whose process has ended; those first that were served longest ago. */
export async function leaseDueEndpoints(
  db: Database,
  { lease, seconds, most, failing }: LeaseOptions,
): Promise<Endpoint[]> {
  if (most <= 0) return []
  type Row = Omit<Endpoint, 'position' | 'secrets'> & Endpoint['position'] & { secrets: string[]; link_secret: string }
  const rows = await db<Row[]>`
    update webhooks
    set lease = ${lease}, leased_until = now() + make_interval(secs => ${seconds}), nudged = false
    from (
      select webhooks.account_id, webhook_id, nudged or due_at is not null or lease is not null as has_waiting
      from webhooks join accounts using (account_id)
      where webhooks.state = 'active' and suspended_at is null and (leased_until is null or leased_until < now())
        and (nudged or due_at <= now() or (not held and accounts.revision > webhooks.revision) or lease is not null)
        and (failures >= ${failing.from}) = ${failing.isFailing}
        and exists (
          select from webhook_secrets secrets
          where secrets.account_id = webhooks.account_id and secrets.webhook_id = webhooks.webhook_id and until is null)
      order by leased_until nulls first limit ${most} for update of webhooks skip locked
    ) due
    cross join service
    where webhooks.account_id = due.account_id and webhooks.webhook_id = due.webhook_id
    returning webhooks.account_id, webhooks.webhook_id, url, types, kinds, ordered, revision, kind, id, failures, failing_since,
      last_success_at, has_waiting as "hasWaiting", lease, link_secret, epoch || '.' || 'accounts'::regclass::oid as epoch,
      array(
        select secret from webhook_secrets secrets
        where secrets.account_id = webhooks.account_id and secrets.webhook_id = webhooks.webhook_id
          and (until is null or until > now())
        order by secret_id desc
      ) as secrets`
  return rows.map(({ revision, kind, id, link_secret, ...row }) => ({
    ...row,
    position: { revision, kind, id },
    secrets: row.secrets.flatMap((secret) => {
      const content = decrypt(link_secret, 'webhook', secret) as { secret: string } | undefined
      return content?.secret ?? []
    }),
  }))
}

export type WaitingDelivery = {
  delivery_id: string
  event_id: string
  type: string
  content: string
  attempts: number
  created_at: Date
  /** A user asked for it again after it was finished. */
  resent: boolean
}

/** Deliveries whose time has come, tests first. Of an ordered endpoint, besides tests and resends, the first one that waits. */
export async function listDueDeliveries(
  db: Reader,
  { account_id, webhook_id, ordered }: Endpoint,
  most: number,
): Promise<WaitingDelivery[]> {
  return db<WaitingDelivery[]>`
    select delivery_id, event_id, type, content, attempts, created_at, resent from webhook_deliveries
    where account_id = ${account_id} and webhook_id = ${webhook_id} and state = 'waiting' and next_attempt_at <= now()
      and (type = ${testType} or resent or not ${ordered} or number = ${firstWaiting(db, { account_id, webhook_id })})
    order by type = ${testType} desc, number limit ${most}`
}

function firstWaiting(db: Reader, { account_id, webhook_id }: Pick<Endpoint, 'account_id' | 'webhook_id'>): Fragment {
  return db`(
    select min(number) from webhook_deliveries
    where account_id = ${account_id} and webhook_id = ${webhook_id} and state = 'waiting' and type <> ${testType}
      and not resent)`
}

/** Besides tests and resends. */
export async function countWaitingDeliveries(db: Reader, account: AccountId, webhook_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from webhook_deliveries
    where account_id = ${account} and webhook_id = ${webhook_id} and state = 'waiting' and type <> ${testType}
      and not resent`
  return row?.count ?? 0
}

export type SentDelivery = Omit<WaitingDelivery, 'created_at' | 'resent'> & {
  state: 'waiting' | 'delivered' | 'failed'
  /** Seconds until the next attempt; null if there is none. */
  delay: number | null
  /** Of the attempt, in seconds since 1970. */
  attempted: number
  url: string
  status: number | null
  milliseconds: number
  answer: string | null
  error: string | null
}

export type SentTurn = {
  endpoint: Endpoint
  sent: SentDelivery[]
  /** The endpoint is given back. */
  isLast: boolean
}

/**
 * Saves what was sent to some endpoints and their positions after it. Of each, whether the lease is still held, and the endpoint
 * active.
 */
export async function saveSent(db: Database, turns: SentTurn[]): Promise<boolean[]> {
  const endpoints = turns.map(({ endpoint, isLast }, turn) => {
    const { account_id, webhook_id, position, failures, failing_since, last_success_at, lease } = endpoint
    return {
      turn,
      account_id,
      webhook_id,
      ...position,
      failures,
      failing_since,
      last_success_at,
      lease,
      is_last: isLast,
    }
  })
  const rows = turns.flatMap(({ sent }, turn) => sent.map((delivery, place) => ({ ...delivery, turn, place })))
  const saved = await db<{ turn: number; state: string }[]>`
    with endpoint as (
      update webhooks
      set revision = given.revision, kind = given.kind, id = given.id, failures = given.failures,
        failing_since = given.failing_since, last_success_at = given.last_success_at,
        lease = case when is_last then null else webhooks.lease end,
        leased_until = case when is_last then now() else leased_until end,
        due_at = case when is_last then null else due_at end, held = held and not is_last
      from jsonb_to_recordset(${asJson(endpoints)}::text::jsonb) as given (
        turn integer, account_id integer, webhook_id text, revision bigint, kind text, id text, failures integer,
        failing_since timestamptz, last_success_at timestamptz, lease uuid, is_last boolean)
      where webhooks.account_id = given.account_id and webhooks.webhook_id = given.webhook_id
        and webhooks.lease = given.lease
      returning turn, webhooks.account_id, webhooks.webhook_id, state
    ), saved as (
      insert into webhook_deliveries (account_id, webhook_id, delivery_id, event_id, type, content, state, attempts,
        next_attempt_at, attempted_at, url, status, milliseconds, answer, error)
      select endpoint.account_id, endpoint.webhook_id, delivery_id, event_id, type, content, sent.state, attempts,
        now() + delay * interval '1 second', to_timestamp(attempted), url, status, milliseconds, answer, error
      from endpoint join jsonb_to_recordset(${asJson(rows)}::text::jsonb) as sent (
        turn integer, place integer, delivery_id text, event_id text, type text, content text, state text,
        attempts integer, delay double precision, attempted double precision, url text, status integer,
        milliseconds integer, answer text, error text) using (turn)
      order by turn, place
      on conflict (account_id, webhook_id, delivery_id) do update
      set state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
        attempted_at = excluded.attempted_at, url = excluded.url, status = excluded.status,
        milliseconds = excluded.milliseconds, answer = excluded.answer, error = excluded.error
    )
    select turn, state from endpoint`
  const states = new Map(saved.map(({ turn, state }) => [turn, state]))
  return turns.map((_, turn) => states.get(turn) === 'active')
}

/** Gives an endpoint back. `isMore`: it has more to send at once. */
export async function releaseEndpoint(
  db: Database,
  { account_id, webhook_id, ordered, lease }: Endpoint,
  { isHeld, isMore }: { isHeld: boolean; isMore: boolean },
): Promise<void> {
  await db`
    update webhooks
    set lease = null, leased_until = now(), held = ${isHeld}, due_at = case when ${isMore} then now() else (
      select min(next_attempt_at) from webhook_deliveries
      where account_id = ${account_id} and webhook_id = ${webhook_id} and state = 'waiting'
        and (type = ${testType} or resent or not ${ordered} or number = ${firstWaiting(db, { account_id, webhook_id })})) end
    where account_id = ${account_id} and webhook_id = ${webhook_id} and lease = ${lease}`
}

/** After an endpoint has recovered: what waits for another attempt is sent now. */
export async function makeDue(db: Database, { account_id, webhook_id }: Endpoint): Promise<void> {
  await db`
    update webhook_deliveries set next_attempt_at = now()
    where account_id = ${account_id} and webhook_id = ${webhook_id} and state = 'waiting' and next_attempt_at > now()`
}

/** Goes on from another position: what waits is repeated by that, or left out. A process that is sending saves nothing any more. */
export async function moveEndpoint(
  db: Reader,
  account: AccountId,
  webhook_id: string,
  { revision, kind, id }: Endpoint['position'],
): Promise<void> {
  await db`
    update webhook_deliveries set state = 'dropped', next_attempt_at = null
    where account_id = ${account} and webhook_id = ${webhook_id} and state = 'waiting' and type <> ${testType}`
  await db`
    update webhooks
    set revision = ${revision}, kind = ${kind}, id = ${id}, lease = null, held = false, nudged = true
    where account_id = ${account} and webhook_id = ${webhook_id}`
}
