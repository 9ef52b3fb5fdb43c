import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'

/** Which subjects have to be evaluated, and when: those that changed first, then those whose time has come. */

export type WatchedKind = 'shipment' | 'purchase_order' | 'invoice'
export const watchedKinds: WatchedKind[] = ['shipment', 'purchase_order', 'invoice']

// Another value here makes every account evaluate everything.
const ruleVersion = 'rules 3'

export type EvaluationState = {
  /** Changes up to this revision are marked. */
  revision: number
  /** When the account was first watched (ms). */
  watched_since: number
  /** How far everything is being marked; null once it is. */
  kind: WatchedKind | null
  id: string | null
  /** By which rules everything was marked last; empty before the first time. */
  rules: string
  /** The present revision and rules of the account. */
  newest: number
  present_rules: string
}

/** The advisory lock of the process that evaluates. */
export const evaluatorLock = 0x6578_6370

/** Whether this transaction is the only one that evaluates, until its end. */
export async function tryEvaluatorLock(sql: TransactionSql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`select pg_try_advisory_xact_lock(${evaluatorLock}) as "isLocked"`
  return row?.isLocked ?? false
}

function presentRules(db: Reader): Fragment {
  return db`${ruleVersion} || ' ' || coalesce((select changed_at::text from exception_rules where account_id = 0), '')
    || ' ' || coalesce((select changed_at::text from exception_rules own where own.account_id = account.account_id), '')
    || ' ' || coalesce((select max(recorded_at)::text from free_time_terms), '')
    || ' ' || coalesce((select max(recorded_at)::text from working_days), '')`
}

/** An account that has something to evaluate: records that changed, or what became due by the clock or the rules. */
export type DueAccount = { account_id: AccountId; has_changed: boolean; is_due: boolean }

/** In the order of their numbers. */
export async function listAccountsToEvaluate(db: Reader, now: number): Promise<DueAccount[]> {
  return db<DueAccount[]>`
    select account_id, has_changed, is_due
    from accounts account left join exception_state state using (account_id)
    cross join lateral (
      select state.revision is null or state.revision < account.revision or exists (
          select from exception_watches watch
          where watch.account_id = account.account_id and watch.check_at = '-infinity') as has_changed,
        state.kind is not null or state.rules <> ${presentRules(db)} or exists (
          select from exception_watches watch
          where watch.account_id = account.account_id and watch.check_at <= ${new Date(now)} and watch.check_at > '-infinity'
        ) as is_due
    ) found
    where account.account_id > 0 and (has_changed or is_due)
    order by account.account_id`
}

/** A new account is watched from the beginning: what is wrong with what is stored there from now on is news. */
export function watchNewAccount(sql: TransactionSql, account: AccountId): Fragment {
  return sql`
    insert into exception_state (account_id, revision, watched_since, rules)
    select account_id, revision, ${businessNow(sql)}, ${presentRules(sql)} from accounts account where account_id = ${account}`
}

/** Also of an account from before exceptions were evaluated: what is there is its history. */
export async function getEvaluationState(
  sql: TransactionSql,
  account: AccountId,
  now: number,
): Promise<EvaluationState> {
  sql.send(sql`
    insert into exception_state (account_id, revision, watched_since, kind)
    select account_id, revision, ${new Date(now)}, ${watchedKinds[0]} from accounts where account_id = ${account}
    on conflict do nothing`)
  const [row] = await sql<(Omit<EvaluationState, 'watched_since'> & { watched_since: Date })[]>`
    select state.revision, watched_since, kind, id, rules, account.revision as newest,
      ${presentRules(sql)} as present_rules
    from accounts account join exception_state state using (account_id)
    where account_id = ${account}`
  if (!row) throw new Error(`there is no account ${account}`)
  return { ...row, watched_since: row.watched_since.getTime() }
}

export function saveEvaluationState(
  sql: TransactionSql,
  account: AccountId,
  { revision, kind, id, rules }: Pick<EvaluationState, 'revision' | 'kind' | 'id' | 'rules'>,
): Fragment {
  return sql`
    update exception_state set revision = ${revision}, kind = ${kind}, id = ${id}, rules = ${rules}
    where account_id = ${account}`
}

// Changes and subjects that are marked in one step.
const mostChanges = 20_000
const mostMarked = 20_000

const idColumns = { shipment: 'svc_shipment_id', purchase_order: 'reference', invoice: 'reference' }
const tables = { shipment: 'shipments', purchase_order: 'purchase_orders', invoice: 'invoices' }

/**
 * Marks subjects of a kind after an identifier; returns the last one, or undefined if none is left. What is there when an
 * account is first watched is its history.
 */
export async function markAll(
  sql: TransactionSql,
  account: AccountId,
  { kind, after, now, isHistory }: { kind: WatchedKind; after: string | null; now: number; isHistory: boolean },
): Promise<string | undefined> {
  const id = sql(idColumns[kind])
  const [row] = await sql<{ last: string | null; count: number }[]>`
    with page as (
      select ${id} as id from ${sql(tables[kind])}
      where account_id = ${account} and ${id} > ${after ?? ''} order by ${id} limit ${mostMarked}
    ), marked as (
      insert into exception_watches (account_id, kind, id, check_at, is_history)
      select ${account}, ${kind}, id, ${new Date(now)}, ${isHistory} from page
      on conflict (account_id, kind, id) do update set check_at = least(exception_watches.check_at, excluded.check_at),
        is_history = exception_watches.is_history or excluded.is_history
    )
    select max(id) as last, count(*)::integer as count from page`
  return row && row.count === mostMarked ? (row.last ?? undefined) : undefined
}

/** Marks new subjects that came by an import: what is wrong with them is no news. */
export function markHistory(sql: TransactionSql, account: AccountId, kind: WatchedKind, ids: string[]): Fragment {
  return sql`
    insert into exception_watches (account_id, kind, id, check_at, is_history)
    select ${account}, ${kind}, id, '-infinity', true from unnest(${ids}::text[]) as imported (id)
    on conflict (account_id, kind, id) do update set check_at = excluded.check_at, is_history = true`
}

/** Marks what the changes after a revision concern; returns the revision up to which it did. */
export async function markChanged(
  sql: TransactionSql,
  account: AccountId,
  { revision, newest }: Pick<EvaluationState, 'revision' | 'newest'>,
  ownAuthor: string,
): Promise<number> {
  const [beyond] = await sql<{ revision: number }[]>`
    select revision from changes where account_id = ${account} and revision > ${revision}
    order by revision offset ${mostChanges} limit 1`
  // At least one revision, however much it has changed.
  const upTo = beyond ? Math.min(newest, Math.max(beyond.revision - 1, revision + 1)) : newest
  await sql`
    with changed as materialized (
      select distinct kind, id from changes
      where account_id = ${account} and revision > ${revision} and revision <= ${upTo}
        and (kind <> 'exception' or author <> ${ownAuthor})
    ), versions as materialized (
      select changed.kind, changed.id, record::jsonb as record
      from changed join changes using (kind, id)
      where account_id = ${account} and changed.kind in ('document', 'invoice', 'payment') and record is not null
    ), named as (
      select 'shipment' as kind, id from changed where kind in ('shipment', 'tracking')
      union select 'shipment', id::jsonb ->> 0 from changed where kind in ('tracking_event', 'tracking_position', 'document_waiver')
      union select 'shipment', id::jsonb ->> 2 from changed where kind = 'assignment'
      union select 'shipment', record ->> 'svc_shipment_id' from versions where kind in ('document', 'invoice')
      union select 'purchase_order', id from changed where kind = 'purchase_order'
      union select 'purchase_order', id::jsonb ->> 0 from changed where kind = 'assignment'
      union select 'invoice', id from changed where kind = 'invoice'
      union select 'invoice', record ->> 'credited_invoice' from versions where kind = 'invoice'
      union select 'invoice', record ->> 'reference' from versions where kind = 'payment'
      union select case when invoice is not null then 'invoice' when reference is not null then 'purchase_order'
          else 'shipment' end, coalesce(invoice, reference, svc_shipment_id)
        from changed join exceptions on account_id = ${account} and exception_id = changed.id
        where changed.kind = 'exception'
    ), related as (
      select kind, id from named where id is not null
      union
      select 'purchase_order', reference
      from named join assignments on account_id = ${account} and svc_shipment_id = named.id
      where named.kind = 'shipment'
      union
      select 'shipment', svc_shipment_id
      from named join assignments on account_id = ${account} and reference = named.id
      where named.kind = 'purchase_order'
    )
    insert into exception_watches (account_id, kind, id, check_at)
    select ${account}, kind, id, '-infinity' from related
    on conflict (account_id, kind, id) do update set check_at = excluded.check_at`
  return upTo
}

export type Watch = {
  kind: WatchedKind
  id: string
  /** Whether it was evaluated before. */
  is_known: boolean
  /** Whether it was there before it was watched. */
  is_history: boolean
  /** Whether its records have changed; otherwise its time has come. */
  has_changed: boolean
  /** What the last evaluation stored. */
  memory: string | null
  bytes: number
}

/** The subjects whose time has come, those that changed first; undefined as time: only those. */
export async function listDueWatches(
  db: Reader,
  account: AccountId,
  now: number | undefined,
  most: number,
): Promise<Watch[]> {
  return db<Watch[]>`
    select kind, id, is_known, is_history, has_changed, memory, (
      select octet_length(body) from tracking where account_id = ${account} and svc_shipment_id = due.id
    ) as bytes
    from (
      select kind, id, is_known, is_history, check_at = '-infinity' as has_changed, memory from exception_watches
      where account_id = ${account} and check_at <= ${now === undefined ? '-infinity' : new Date(now).toISOString()}::timestamptz
      order by check_at limit ${most}
    ) due`
}

export type WatchUpdate = Pick<Watch, 'kind' | 'id'> & {
  check_at: number | undefined
  memory: string | undefined
  /** Nothing can come of it before it changes again. */
  isOver: boolean
}

export function saveWatches(sql: TransactionSql, account: AccountId, updates: WatchUpdate[]): Fragment[] {
  const kept = updates.filter(({ isOver }) => !isOver)
  const over = updates.filter(({ isOver }) => isOver)
  return [
    ...(kept.length > 0 ? [saveKept(sql, account, kept)] : []),
    ...(over.length > 0 ? [removeOver(sql, account, over)] : []),
  ]
}

function saveKept(sql: TransactionSql, account: AccountId, updates: WatchUpdate[]): Fragment {
  const kept = asJson(updates, ({ kind, id, check_at, memory }) => ({
    kind,
    id,
    check_at: check_at === undefined ? null : new Date(check_at).toISOString(),
    memory,
  }))
  // An insert, since its conflicts are found by key: an update could be planned as a scan of all that is watched.
  return sql`
      insert into exception_watches (account_id, kind, id, check_at, memory, is_known)
      select ${account}, kind, id, check_at, memory, true
      from jsonb_to_recordset(${kept}::text::jsonb) as saved (kind text, id text, check_at timestamptz, memory text)
      on conflict (account_id, kind, id) do update
      set check_at = excluded.check_at, memory = excluded.memory, is_known = true`
}

function removeOver(sql: TransactionSql, account: AccountId, over: WatchUpdate[]): Fragment {
  return sql`
      delete from exception_watches where ctid = any(array(
        select watch.ctid
        from unnest(${over.map(({ kind }) => kind)}::text[], ${over.map(({ id }) => id)}::text[]) as over (kind, id)
        cross join lateral (
          select ctid from exception_watches
          where account_id = ${account} and kind = over.kind and id = over.id
        ) watch))`
}

/** How far evaluation is behind: seconds since the oldest time that has passed, and revisions that are not marked. */
export async function findEvaluationLag(db: Reader): Promise<{ seconds: number; revisions: number }> {
  const [row] = await db<{ seconds: number | null; revisions: number }[]>`
    select extract(epoch from ${businessNow(db)} - min(due.check_at))::double precision as seconds,
      coalesce(sum(greatest(account.revision - coalesce(state.revision, 0), 0)), 0)::bigint as revisions
    from accounts account
    left join exception_state state using (account_id)
    left join lateral (
      select check_at from exception_watches
      where account_id = account.account_id and check_at <= ${businessNow(db)} and check_at > '-infinity'
      order by check_at limit 1
    ) due on true
    where account.account_id > 0`
  return { seconds: Math.max(0, row?.seconds ?? 0), revisions: row?.revisions ?? 0 }
}
