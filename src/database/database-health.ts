import { forwarderAccount } from './account-id.js'
import type { Database } from './database.js'

/** Connections of this process by state. */
export type ProcessConnections = { active: number; idle: number; inTransaction: number; waitingForLock: number }

/** Recognizes the connections by their application_name. */
export async function readProcessConnections(db: Database): Promise<ProcessConnections> {
  const [row] = await db<ProcessConnections[]>`
    select count(*) filter (where state = 'active' and wait_event_type is distinct from 'Lock') as active,
      count(*) filter (where state = 'idle') as idle,
      count(*) filter (where state like 'idle in transaction%') as "inTransaction",
      count(*) filter (where state = 'active' and wait_event_type = 'Lock') as "waitingForLock"
    from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name')
      and pid <> pg_backend_pid()`
  if (!row) throw new Error('the query for connections returned no row')
  return row
}

/** Figures of the whole database, the same from every process. */
export type DatabaseHealth = {
  schemaVersion: number
  bytes: number
  /** Connections of all clients, and the limit of the server. */
  connections: number
  maxConnections: number
  /** Age of the oldest open transaction in seconds. */
  oldestTransaction: number
  accounts: number
  /** Sum over all accounts: every write adds one. */
  revisions: number
  sessions: number
  /** Accounts with an outdated search index, and the age of their oldest unindexed change in seconds. */
  searchBehind: number
  searchDelay: number
}

// An account that is indexed for the first time counts as behind but has no delay.
export async function readDatabaseHealth(db: Database): Promise<DatabaseHealth> {
  const [row] = await db<DatabaseHealth[]>`
    with standing as (
      select account_id, account.revision, state.revision as searched, state.kind is null as "isFollowing",
        coalesce(state.revision < account.revision or state.kind is not null, true)
          and exists (select from people where people.account_id = account.account_id) as "isBehind"
      from accounts account left join search_state state using (account_id)
      where account_id <> ${forwarderAccount}
    ), missed as (
      select (select at from changes
        where changes.account_id = standing.account_id and changes.revision > searched order by revision limit 1) as at
      from standing where "isBehind" and "isFollowing" and searched is not null
    )
    select (select coalesce(max(version), 0) from schema_migrations) as "schemaVersion",
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::integer as "maxConnections",
      (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()) as "oldestTransaction",
      count(*) as accounts, coalesce(sum(revision), 0)::bigint as revisions,
      (select count(*) from sessions where expires_at > now() and last_seen_at > now() - interval '7 days') as sessions,
      count(*) filter (where "isBehind") as "searchBehind",
      (select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 from missed) as "searchDelay"
    from standing`
  if (!row) throw new Error('the health query returned no row')
  return row
}

/** Duration of a trivial query in seconds, including the wait for a connection. */
export async function measureRoundTrip(db: Database): Promise<number> {
  const startedAt = performance.now()
  await db`select 1`
  return (performance.now() - startedAt) / 1000
}
