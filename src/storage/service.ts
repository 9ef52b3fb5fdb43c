import type { Reader } from './database.js'

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
