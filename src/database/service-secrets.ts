import { randomBytes } from 'node:crypto'
import type { Reader, TransactionSql } from '../database/database.js'

export type ServiceSecrets = { epoch: string; link_secret: string }

/**
 * Secrets shared by all processes on one database. The epoch is part of every ETag: after a restore, revisions start over and
 * must not match earlier ETags. It includes the OID of a table, which a restore of a dump changes; after a recovery to a point in
 * time, `waybill secret renew` changes it.
 */
export async function readServiceSecrets(db: Reader): Promise<ServiceSecrets> {
  const [row] = await db<ServiceSecrets[]>`
    select epoch || '.' || 'accounts'::regclass::oid as epoch, link_secret from service`
  if (!row) throw new Error('the database is not migrated: run `waybill migrate`')
  return row
}

export function newLinkSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Invalidates ETags and document links: a restored database must share neither with the database of the backup. */
export async function renewServiceSecrets(sql: TransactionSql): Promise<void> {
  await sql`
    insert into service (link_secret) values (${newLinkSecret()})
    on conflict (only_row) do update set epoch = excluded.epoch, link_secret = excluded.link_secret`
}
