import type { Reader } from './database.js'

export type ServiceSecrets = { epoch: string; link_secret: string }

/** What all processes on one database share. */
export async function readServiceSecrets(db: Reader): Promise<ServiceSecrets> {
  const [row] = await db<ServiceSecrets[]>`select epoch, link_secret from service`
  if (!row) throw new Error('the database is not migrated: run `waybill migrate`')
  return row
}
