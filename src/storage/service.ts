import { randomBytes } from 'node:crypto'
import type { Reader, TransactionSql } from './database.js'

export type ServiceSecrets = { epoch: string; link_secret: string }

/**
 * What all processes on one database share. The epoch is part of every ETag: revisions that are counted anew after a
 * restore must not look like the old ones, and a restored table has another object identifier.
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

/** After a restore neither tags nor links of before are good, and those of the database it comes from are its own. */
export async function renewServiceSecrets(sql: TransactionSql): Promise<void> {
  await sql`update service set epoch = gen_random_uuid()::text, link_secret = ${newLinkSecret()}`
}
