import type { AccountId } from '../database/account-id.js'
import { businessNow } from '../database/business-now.js'
import { asJson, type Fragment, type Reader, type TransactionSql } from '../database/database.js'
import { lookup } from '../database/lookup.js'

/** Which subjects have to be evaluated, and when: those that changed first, then those whose time has come. */

export type WatchedKind = 'shipment' | 'purchase_order' | 'invoice'
export const watchedKinds: WatchedKind[] = ['shipment', 'purchase_order', 'invoice']

// Another value here makes every account evaluate everything.
const ruleVersion = 'rules 3'

export type EvaluationState = {
  slug: string
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
  sql.gathering.write(insertStates, [{ account_id: account, watched_since: new Date(now) }])
  const [row] = await lookUpStates(sql, [account])
  if (!row) throw new Error(`there is no account ${account}`)
  return { ...row, watched_since: row.watched_since.getTime() }
}

function insertStates(sql: Reader, rows: { account_id: AccountId; watched_since: Date }[]): Fragment {
  return sql`
    insert into exception_state (account_id, revision, watched_since, kind)
    select account_id, revision, watched_since, ${watchedKinds[0]}
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as given (account_id integer, watched_since timestamptz)
    join accounts using (account_id)
    on conflict do nothing`
}

const lookUpStates = lookup<AccountId, Omit<EvaluationState, 'watched_since'> & { watched_since: Date }>(
  (db, accounts) => db`
    select place, account.slug, state.revision, watched_since, kind, id, rules, account.revision as newest,
      ${presentRules(db)} as present_rules
    from unnest(${accounts}::integer[]) with ordinality as wanted (account_id, place)
    join accounts account using (account_id) join exception_state state using (account_id)`,
)

type SavedState = Pick<EvaluationState, 'revision' | 'kind' | 'id' | 'rules'>

export function saveEvaluationState(
  sql: TransactionSql,
  account_id: AccountId,
  { revision, kind, id, rules }: SavedState,
): void {
  sql.gathering.write(updateStates, [{ account_id, revision, kind, id, rules }])
}

function updateStates(sql: Reader, rows: (SavedState & { account_id: AccountId })[]): Fragment {
  return sql`
    update exception_state state set revision = saved.revision, kind = saved.kind, id = saved.id, rules = saved.rules
    from jsonb_to_recordset(${asJson(rows)}::text::jsonb)
      as saved (account_id integer, revision bigint, kind text, id text, rules text)
    where state.account_id = saved.account_id`
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
  const until = now === undefined ? '-infinity' : new Date(now).toISOString()
  return lookUpDueWatches(db, [{ account, until, most }])
}

const lookUpDueWatches = lookup<{ account: AccountId; until: string; most: number }, Watch>(
  (db, keys) => db`
    select place, kind, id, is_known, is_history, has_changed, memory, (
      select octet_length(body) from tracking where account_id = wanted.account_id and svc_shipment_id = due.id
    ) as bytes
    from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ until }) => until)}::timestamptz[],
      ${keys.map(({ most }) => most)}::integer[]) with ordinality as wanted (account_id, until, most, place)
    cross join lateral (
      select kind, id, is_known, is_history, check_at = '-infinity' as has_changed, memory, check_at
      from exception_watches
      where account_id = wanted.account_id and check_at <= wanted.until
      order by check_at limit wanted.most
    ) due`,
)

export type WatchUpdate = Pick<Watch, 'kind' | 'id'> & {
  check_at: number | undefined
  memory: string | undefined
  /** Nothing can come of it before it changes again. */
  isOver: boolean
}

export function saveWatches({ gathering }: TransactionSql, account_id: AccountId, updates: WatchUpdate[]): void {
  const rows = updates.map((update) => ({ ...update, account_id }))
  const [kept, over] = [rows.filter(({ isOver }) => !isOver), rows.filter(({ isOver }) => isOver)]
  if (kept.length > 0) gathering.write(upsertWatches, kept)
  if (over.length > 0) gathering.write(deleteWatches, over)
}

type SavedWatch = WatchUpdate & { account_id: AccountId }

function upsertWatches(sql: Reader, rows: SavedWatch[]): Fragment {
  const kept = asJson(rows, ({ account_id, kind, id, check_at, memory }) => ({
    account_id,
    kind,
    id,
    check_at: check_at === undefined ? null : new Date(check_at).toISOString(),
    memory,
  }))
  // An insert, since its conflicts are found by key: an update could be planned as a scan of all that is watched.
  return sql`
    insert into exception_watches (account_id, kind, id, check_at, memory, is_known)
    select account_id, kind, id, check_at, memory, true
    from jsonb_to_recordset(${kept}::text::jsonb)
      as saved (account_id integer, kind text, id text, check_at timestamptz, memory text)
    on conflict (account_id, kind, id) do update
    set check_at = excluded.check_at, memory = excluded.memory, is_known = true`
}

function deleteWatches(sql: Reader, rows: SavedWatch[]): Fragment {
  return sql`
    delete from exception_watches where ctid = any(array(
      select watch.ctid
      from jsonb_to_recordset(${asJson(rows)}::text::jsonb) as over (account_id integer, kind text, id text)
      cross join lateral (
        select ctid from exception_watches
        where account_id = over.account_id and kind = over.kind and id = over.id
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
