import type { Database } from './database.js'

/** What a database server tells of itself to somebody who wonders whether it is fit for Waybill. */
export type ServerFacts = {
  version: string
  /** 180004 for 18.4. */
  versionNumber: number
  encoding: string
  user: string
  database: string
  schema: string | null
  isReplica: boolean
  isReadOnly: boolean
  /** What makes an acknowledged write last. */
  fsync: boolean
  fullPageWrites: boolean
  synchronousCommit: string
  isEncrypted: boolean
  isNearby: boolean
  mayCreate: boolean
  mayMakeTemporary: boolean
  /** Tables in the schema that somebody else owns: they can be neither migrated nor restored. */
  foreignTables: string[]
  /** How many connections we may have; those of others are taken already. */
  mostConnections: number
  otherConnections: number
}

export async function readServerFacts(db: Database): Promise<ServerFacts> {
  const [row] = await db<ServerFacts[]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber", current_setting('server_encoding') as encoding,
      current_user as user, current_database() as database, current_schema() as schema,
      pg_is_in_recovery() as "isReplica", current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      current_setting('fsync') = 'on' as fsync, current_setting('full_page_writes') = 'on' as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      inet_server_addr() is null or inet_server_addr() <<= any (
        '{127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1,fc00::/7,fe80::/10}'::inet[]) as "isNearby",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
      has_database_privilege(current_database(), 'temporary') as "mayMakeTemporary",
      array(select relname::text from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')
        order by relname) as "foreignTables",
      least(
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true), '0')::integer,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as "mostConnections",
      (select count(*) from pg_stat_activity
        where backend_type = 'client backend' and coalesce(application_name, '') not like 'waybill%') as "otherConnections"`
  if (!row) throw new Error('the database does not tell what it is')
  return row
}

/** What time it is there, and how many milliseconds passed from the question to the answer. */
export async function readClock(db: Database): Promise<{ clock: Date; took: number }> {
  const begun = performance.now()
  const [row] = await db<{ clock: Date }[]>`select clock_timestamp() as clock`
  if (!row) throw new Error('the database does not tell the time')
  return { clock: row.clock, took: performance.now() - begun }
}

/** How a server follows the primary. */
export type ReplicaFacts = {
  isReplica: boolean
  /** Which database it holds: null where it is none of Waybill's. */
  epoch: string | null
  /** Seconds that it is behind. */
  delay: number
}

export async function readReplicaFacts(db: Database): Promise<ReplicaFacts> {
  const [row] = await db<Omit<ReplicaFacts, 'epoch'>[]>`
    select pg_is_in_recovery() as "isReplica", case
      when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8
    end as delay`
  if (!row) throw new Error('the replica does not tell how it stands')
  return { ...row, epoch: await findEpoch(db) }
}

/** Which database it is; null where it is none of Waybill's. */
export async function findEpoch(db: Database): Promise<string | null> {
  const [row] = await db<{ isOurs: boolean }[]>`select to_regclass('service') is not null as "isOurs"`
  if (!row?.isOurs) return null
  const [service] = await db<{ epoch: string }[]>`select epoch from service`
  return service?.epoch ?? null
}
