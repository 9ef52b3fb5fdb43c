import type { Reader, TransactionSql } from '../database/database.js'
import { decrypt, encrypt } from './encrypted-value.js'

/** The secrets of feeds, encrypted: signatures are computed with them, and keys are sent to carriers. Of keys that carriers send, the hash. */

/** `isOnly`: earlier ones of the feed stop working. */
export async function addFeedSecret(
  sql: TransactionSql,
  feed_id: string,
  secret: string,
  { isOnly = false } = {},
): Promise<void> {
  // Locked, so that the secret of the service is not renewed meanwhile.
  const [service] = await sql<{ link_secret: string }[]>`select link_secret from service for share`
  if (!service) throw new Error('the database is not migrated')
  if (isOnly) await sql`delete from feed_secrets where feed_id = ${feed_id}`
  await sql`
    insert into feed_secrets (feed_id, secret) values (${feed_id}, ${encrypt(service.link_secret, 'feed', { secret })})`
}

/** Lets the secrets of a feed work until a time at most, and removes those that have ended. */
export async function limitFeedSecrets(sql: TransactionSql, feed_id: string, until: Date): Promise<void> {
  await sql`delete from feed_secrets where feed_id = ${feed_id} and until <= now()`
  await sql`
    update feed_secrets set until = least(coalesce(until, 'infinity'), ${until}) where feed_id = ${feed_id}`
}

/** The secrets that work, the newest first. Those that were encrypted with another secret of the service are left out. */
export async function findFeedSecrets(sql: Reader, feed_id: string): Promise<string[]> {
  const rows = await sql<{ secret: string; link_secret: string }[]>`
    select secret, link_secret from feed_secrets cross join service
    where feed_id = ${feed_id} and (until is null or until > now()) order by secret_id desc`
  return rows.flatMap(({ secret, link_secret }) => {
    const content = decrypt(link_secret, 'feed', secret) as { secret: string } | undefined
    return content?.secret ?? []
  })
}

export async function hasFeedSecret(sql: Reader, feed_id: string): Promise<boolean> {
  return (await sql`select from feed_secrets where feed_id = ${feed_id} limit 1`).length > 0
}

/** Before the secret of the service is replaced: encrypts all secrets with the next one. */
export async function reencryptFeedSecrets(sql: TransactionSql, from: string, to: string): Promise<void> {
  const rows = await sql<{ feed_id: string; secret_id: number; secret: string }[]>`
    select feed_id, secret_id, secret from feed_secrets for update`
  for (const { feed_id, secret_id, secret } of rows) {
    const content = decrypt(from, 'feed', secret) as object | undefined
    if (!content) continue
    await sql`
      update feed_secrets set secret = ${encrypt(to, 'feed', content)}
      where feed_id = ${feed_id} and secret_id = ${secret_id}`
  }
}
