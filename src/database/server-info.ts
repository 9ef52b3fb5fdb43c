import type { Database } from './database.js'

/** Properties of a database server that decide whether Waybill can run on it. */
export type ServerInfo = {
  version: string
  /** 180004 for 18.4. */
  versionNumber: number
  encoding: string
  user: string
  database: string
  schema: string | null
  isReplica: boolean
  isReadOnly: boolean
  /** Durability settings. */
  fsync: boolean
  fullPageWrites: boolean
  synchronousCommit: string
  isEncrypted: boolean
  isPrivateNetwork: boolean
  mayCreate: boolean
  mayCreateTemporary: boolean
  /** Tables owned by other roles: they can be neither migrated nor restored. */
  foreignTables: string[]
  /** The connection limit for our role, and the connections of other clients. */
  maxConnections: number
  otherConnections: number
}

export async function readServerInfo(db: Database): Promise<ServerInfo> {
  const [row] = await db<ServerInfo[]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber", current_setting('server_encoding') as encoding,
      current_user as user, current_database() as database, current_schema() as schema,
      pg_is_in_recovery() as "isReplica", current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      current_setting('fsync') = 'on' as fsync, current_setting('full_page_writes') = 'on' as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      inet_server_addr() is null or inet_server_addr() <<= any (
        '{127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1,fc00::/7,fe80::/10}'::inet[]) as "isPrivateNetwork",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
      has_database_privilege(current_database(), 'temporary') as "mayCreateTemporary",
      array(select relname::text from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')
        order by relname) as "foreignTables",
      least(
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true), '0')::integer,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as "maxConnections",
      (select count(*) from pg_stat_activity
        where backend_type = 'client backend' and coalesce(application_name, '') not like 'waybill%') as "otherConnections"`
  if (!row) throw new Error('the query for the server settings returned no row')
  return row
}

/** The time of the server's clock, and how many milliseconds the query took. */
export async function readClock(db: Database): Promise<{ clock: Date; took: number }> {
  const startedAt = performance.now()
  const [row] = await db<{ clock: Date }[]>`select clock_timestamp() as clock`
  if (!row) throw new Error('the query for the time returned no row')
  return { clock: row.clock, took: performance.now() - startedAt }
}

/** Replication state of a server. */
export type ReplicaInfo = {
  isReplica: boolean
  /** When the server was started, to the microsecond: tells servers of one database apart. */
  startedAt: string
  /** Identifies the database; null if it is not a Waybill database. */
  epoch: string | null
  /** Replication delay in seconds. */
  delay: number
}

export async function readReplicaInfo(db: Database): Promise<ReplicaInfo> {
  const [row] = await db<Omit<ReplicaInfo, 'epoch'>[]>`
    select pg_is_in_recovery() as "isReplica", extract(epoch from pg_postmaster_start_time())::text as "startedAt", case
      when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8
    end as delay`
  if (!row) throw new Error('the query for the replication state returned no row')
  return { ...row, epoch: await findEpoch(db) }
}

/** Identifies the database; null if it is not a Waybill database. */
async function findEpoch(db: Database): Promise<string | null> {
  const [row] = await db<{ isOurs: boolean }[]>`select to_regclass('service') is not null as "isOurs"`
  if (!row?.isOurs) return null
  const [service] = await db<{ epoch: string }[]>`select epoch from service`
  return service?.epoch ?? null
}
