import { randomBytes } from 'node:crypto'
import type { AuditAction, AuditEntry, AuditFilter, auditActions } from '../contract/audit.js'
import { type AccountId, forwarderAccount } from '../database/account-id.js'
import type { Database, Reader, TransactionSql } from '../database/database.js'

/** The audit log. It is only appended to: a trigger refuses changes, and deletion before the retention has passed. */

/** The forwarder's own log. */
export const forwarderLog = forwarderAccount

/** Who acts, and from where. `actor` is also the author in the change log. */
export type Actor = { actor: string; actor_name?: string | undefined; address?: string | undefined }

export const commandLine: Actor = { actor: 'command-line' }

type Act = {
  [Kind in keyof typeof auditActions]: { kind: Kind; action: (typeof auditActions)[Kind][number] }
}[keyof typeof auditActions] & {
  /** Identifies what it was done to. */
  subject?: string | undefined
  details?: Record<string, unknown> | undefined
}

/** Appends an entry. A write passes its own transaction, so that neither is stored without the other. */
export async function recordAudit(
  sql: Database | TransactionSql,
  account: AccountId,
  { actor, actor_name, address }: Actor,
  { kind, action, subject, details = {} }: Act,
): Promise<void> {
  const entry_id = newEntryId()
  // The name of a person is looked up where the caller does not know it.
  const person_id = actor.replace(/^person:/, '')
  const statement = sql`
    insert into audit_log (account_id, entry_id, kind, action, actor, actor_name, address, subject, details)
    values (${account}, ${entry_id}, ${kind}, ${action}, ${actor},
      coalesce(${actor_name ?? null}, (select name from people where account_id = ${account} and person_id = ${person_id})),
      ${address ?? null}, ${subject ?? null},
      ${JSON.stringify(details)}::text::jsonb)`
  // Sent without a round trip of its own; an error surfaces at commit.
  if ('send' in sql) sql.send(statement)
  else await statement
}

/**
 * Appends an entry about a download by link, unless there is one for the file from the same network within the hour: whoever has a link
 * could fill the log. One subscriber has a whole /64 of IPv6.
 */
export async function recordLinkDownload(
  db: Database,
  account: AccountId,
  { actor, actor_name, address }: Actor,
  { subject, details }: { subject: string; details: Record<string, unknown> },
): Promise<void> {
  const entry_id = newEntryId()
  await db`
    insert into audit_log (account_id, entry_id, kind, action, actor, actor_name, address, subject, details)
    select ${account}, ${entry_id}, 'download', 'downloaded', ${actor}, ${actor_name ?? null}, ${address ?? null}, ${subject},
      ${JSON.stringify(details)}::text::jsonb
    from (select nullif(${address ?? ''}::text, '')::inet as client) as given
    where not exists (
      select from audit_log
      where account_id = ${account} and actor = ${actor} and at > now() - interval '1 hour' and action = 'downloaded'
        and subject = ${subject} and case when address <> '' then
          address::inet <<= network(set_masklen(client, case family(client) when 4 then 32 else 64 end)) end)`
}

function newEntryId(): string {
  return `aud_${randomBytes(8).toString('hex')}`
}

export type AuditCursor = { at: string; entry_id: string }

type Row = Omit<AuditEntry, 'actor_name' | 'address' | 'subject'> & {
  action: AuditAction
  actor_name: string | null
  address: string | null
  subject: string | null
}

/** The newest first. */
export async function listAuditEntries(
  db: Reader,
  account: AccountId,
  { kind, actor, from, to, after, take }: AuditFilter & { after?: AuditCursor | undefined; take: number },
): Promise<AuditEntry[]> {
  const { at, entry_id } = after ?? { at: 'infinity', entry_id: '' }
  const rows = await db<Row[]>`
    select entry_id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, kind, action, actor, actor_name,
      address, subject, details
    from audit_log
    where account_id = ${account} and (audit_log.at, entry_id) < (${at}::text::timestamptz, ${entry_id}::text)
      ${kind === undefined ? db`` : db`and kind = ${kind}`} ${actor === undefined ? db`` : db`and actor = ${actor}`}
      ${from === undefined ? db`` : db`and audit_log.at >= ${utc(from)}::text::timestamptz`}
      ${to === undefined ? db`` : db`and audit_log.at < ${utc(to)}::text::timestamptz`}
    order by audit_log.at desc, entry_id desc limit ${take}`
  return rows.map(({ actor_name, address, subject, ...entry }) => ({
    ...entry,
    ...(actor_name !== null && { actor_name }),
    ...(address !== null && { address }),
    ...(subject !== null && { subject }),
  }))
}

/** PostgreSQL refuses UTC offsets of more than 15:59, which RFC 3339 has. */
function utc(time: string): string {
  return new Date(time).toISOString()
}

// The key of an advisory lock.
const removalLock = 7_401_126_905

/** Deletes up to `most` entries that are older than `days`, and returns how many. While another process does it, it deletes none. */
export async function removeOldAudit(db: Database, days: number, most: number): Promise<number> {
  const retention = `${days} days`
  return db.begin(async (sql) => {
    // The trigger refuses to delete entries that are younger.
    await sql`select set_config('waybill.audit_retention', ${retention}, true)`
    const removed = await sql`
      delete from audit_log where ctid = any (array(
        select ctid from audit_log
        where at < now() - ${retention}::text::interval and (select pg_try_advisory_xact_lock(${removalLock})) limit ${most}))
      returning account_id`
    return removed.length
  })
}
