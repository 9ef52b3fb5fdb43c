import type { Database } from './database.js'

/** What whoever watches over the service wants to know of its database. */

/** The connections of this process, by what they do. */
export type OwnConnections = { active: number; idle: number; inTransaction: number; waitingForLock: number }

/** By the name that a process gives to all of its connections. */
export async function readOwnConnections(db: Database): Promise<OwnConnections> {
  const [row] = await db<OwnConnections[]>`
    select count(*) filter (where state = 'active' and wait_event_type is distinct from 'Lock') as active,
      count(*) filter (where state = 'idle') as idle,
      count(*) filter (where state like 'idle in transaction%') as "inTransaction",
      count(*) filter (where state = 'active' and wait_event_type = 'Lock') as "waitingForLock"
    from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name')
      and pid <> pg_backend_pid()`
  if (!row) throw new Error('the database does not tell its connections')
  return row
}

/** The same for whoever looks, in whichever process. */
export type VitalSigns = {
  schemaVersion: number
  bytes: number
  /** Of all clients, and how many the server takes. */
  connections: number
  mostConnections: number
  /** Seconds since the oldest transaction began that is still open. */
  oldestTransaction: number
  accounts: number
  /** Of all accounts together: it grows by one with every write. */
  revisions: number
  sessions: number
  /** Accounts whose searches have something to catch up on, and seconds since the oldest of what they lack was written. */
  searchBehind: number
  searchDelay: number
}

// One that is searched for the first time has no delay: it is behind with all that it has.
export async function readVitalSigns(db: Database): Promise<VitalSigns> {
  const [row] = await db<VitalSigns[]>`
    with standing as (
      select account_id, account.revision, state.revision as searched, state.kind is null as "isFollowing",
        coalesce(state.revision < account.revision or state.kind is not null, true)
          and exists (select from people where people.account_id = account.account_id) as "isBehind"
      from accounts account left join search_state state using (account_id)
    ), missed as (
      select (select at from changes
        where changes.account_id = standing.account_id and changes.revision > searched order by revision limit 1) as at
      from standing where "isBehind" and "isFollowing" and searched is not null
    )
    select (select coalesce(max(version), 0) from schema_migrations) as "schemaVersion",
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::integer as "mostConnections",
      (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()) as "oldestTransaction",
      count(*) as accounts, coalesce(sum(revision), 0)::bigint as revisions,
      (select count(*) from sessions where expires_at > now() and last_seen_at > now() - interval '7 days') as sessions,
      count(*) filter (where "isBehind") as "searchBehind",
      (select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 from missed) as "searchDelay"
    from standing`
  if (!row) throw new Error('the database does not tell how it stands')
  return row
}

/** Seconds that the shortest statement takes, with its wait for a connection. */
export async function measureRoundTrip(db: Database): Promise<number> {
  const begun = performance.now()
  await db`select 1`
  return (performance.now() - begun) / 1000
}
