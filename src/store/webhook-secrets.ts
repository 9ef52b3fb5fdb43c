import type { AccountId } from '../database/account-id.js'
import type { TransactionSql } from '../database/database.js'
import { decrypt, encrypt } from './encrypted-value.js'

/** The secrets of endpoints, encrypted: requests are signed with them. */

// While secrets are replaced often, a request is signed with so many at most.
const mostSecrets = 3

/** Earlier ones end after the given hours at the latest. */
export async function addWebhookSecret(
  sql: TransactionSql,
  account: AccountId,
  webhook_id: string,
  secret: string,
  overlapHours = 0,
): Promise<void> {
  // Locked, so that the secret of the service is not renewed meanwhile.
  const [service] = await sql<{ link_secret: string }[]>`select link_secret from service for share`
  if (!service) throw new Error('the database is not migrated')
  await sql`
    update webhook_secrets
    set until = least(coalesce(until, 'infinity'), now() + make_interval(hours => ${overlapHours}))
    where account_id = ${account} and webhook_id = ${webhook_id}`
  await sql`
    insert into webhook_secrets (account_id, webhook_id, secret)
    values (${account}, ${webhook_id}, ${encrypt(service.link_secret, 'webhook', { secret })})`
  await sql`
    delete from webhook_secrets
    where account_id = ${account} and webhook_id = ${webhook_id} and (until <= now() or secret_id not in (
      select secret_id from webhook_secrets
      where account_id = ${account} and webhook_id = ${webhook_id} order by secret_id desc limit ${mostSecrets}))`
}

/** Before the secret of the service is replaced: encrypts all secrets with the next one. */
export async function reencryptWebhookSecrets(
  sql: TransactionSql,
  from: string,
  to: string,
  account?: AccountId,
): Promise<void> {
  const rows = await sql<{ account_id: AccountId; webhook_id: string; secret_id: number; secret: string }[]>`
    select account_id, webhook_id, secret_id, secret from webhook_secrets
    where ${account ?? null}::integer is null or account_id = ${account ?? null}::integer for update`
  for (const { account_id, webhook_id, secret_id, secret } of rows) {
    const content = decrypt(from, 'webhook', secret) as object | undefined
    if (!content) continue
    await sql`
      update webhook_secrets set secret = ${encrypt(to, 'webhook', content)}
      where account_id = ${account_id} and webhook_id = ${webhook_id} and secret_id = ${secret_id}`
  }
}
